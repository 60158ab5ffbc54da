#if canImport(Glibc)
    internal import Glibc
#endif
public import Timing

/// Plays a performance into a file: the same scheduler and engine as the sound card's, with frames for a clock.
public struct Renderer: Sendable {
    /// What is played.
    public let performance: Performance
    /// How it is stored.
    public let format: SoundFormat
    /// How many frames are rendered at a time; it changes no sample.
    public var blockFrames = 2048

    /// A renderer.
    public init(_ performance: Performance, format: SoundFormat) {
        self.performance = performance
        self.format = format
    }

    /// The length in frames: the count-in, and ceil(length × rate) behind it; nil without end.
    public var frames: Int64? { Scheduler(performance, rate: format.rate).endFrame }

    /// Renders into a WAV file (RF64 above 4 GB), which appears whole or not at all. `progress` is called with 0 ... 1
    /// now and then; what it throws ends the rendering.
    public func write(to path: String, progress: (Double) throws(RenderError) -> Void = { _ in }) throws(RenderError) {
        guard let frames else { throw .endless }
        var file = try NewFile(path)
        let sound = try SoundFile(descriptor: file.descriptor, format: format, frames: frames)
        try render { bytes, frame throws(RenderError) in
            try sound.write(bytes)
            try progress(Double(frame) / Double(frames))
        }
        try sound.finish()
        try file.keep()
    }

    /// Renders raw interleaved little-endian samples to a descriptor. Returns when the reader has gone away.
    public func stream(to descriptor: Int32) throws(RenderError) {
        do {
            try render { bytes, _ throws(RenderError) in
                var rest = bytes
                while !rest.isEmpty {
                    let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                    if written < 0, errno == EINTR { continue }
                    if written < 0, errno == EAGAIN {
                        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&ready, 1, -1)
                        continue
                    }
                    if written < 0, errno == EPIPE { throw RenderError.readerGone }
                    guard written > 0 else { throw .cannotWrite(String(cString: strerror(errno))) }
                    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
                }
            }
        } catch .readerGone {
            return
        }
    }

    /// Renders block by block; `take` gets the samples of each and the frame behind it.
    public func render(
        _ take: (UnsafeRawBufferPointer, Int64) throws(RenderError) -> Void
    ) throws(RenderError) {
        var engine: Engine
        do throws(EngineError) { engine = try Engine(format) } catch { throw .engine(error) }
        var scheduler = Scheduler(performance, rate: format.rate)
        let end = scheduler.endFrame ?? .max
        let block = UnsafeMutableRawBufferPointer.allocate(
            byteCount: blockFrames * format.bytesPerFrame, alignment: MemoryLayout<Double>.alignment)
        defer { block.deallocate() }
        var frame: Int64 = 0
        while frame < end {
            let count = Int(min(Int64(blockFrames), end - frame))
            let mayRender = try supply(&engine, from: &scheduler, through: frame + Int64(count))
            // A score denser than the queue: render what is known, event by event.
            let known = mayRender ? count : 1
            engine.render(known, into: block)
            frame += Int64(known)
            scheduler.settle(before: frame)
            try take(UnsafeRawBufferPointer(rebasing: block[..<(known * format.bytesPerFrame)]), frame)
        }
        let dropped = engine.clicks.late + engine.clicks.dropped
        guard dropped == 0 else { throw .tooDense(dropped) }
    }

    /// Queues every event before `frame`; false when the queue is full first.
    private func supply(
        _ engine: inout Engine, from scheduler: inout Scheduler, through frame: Int64
    ) throws(RenderError) -> Bool {
        do throws(QueueFull) {
            try scheduler.schedule(before: frame, into: &engine)
            return true
        } catch {
            return false
        }
    }
}

/// Why a rendering came to nothing.
public enum RenderError: Error, Equatable, CustomStringConvertible {
    /// The performance has no end.
    case endless
    /// The file cannot be written, for the reason given.
    case cannotWrite(String)
    /// Who read the stream has gone.
    case readerGone
    /// So many clicks could not sound: too many at once.
    case tooDense(UInt64)
    /// The synthesizer.
    case engine(EngineError)
    /// The caller wanted no more.
    case cancelled

    /// One sentence, or its end behind a file's name.
    public var description: String {
        switch self {
        case .endless: "a file has to end: a loop needs a number of times"
        case .cannotWrite(let reason): "cannot be written: \(reason)"
        case .readerGone: "the reader has gone away"
        case .tooDense(let count): "\(count) clicks come too close together to sound at once"
        case .engine(let error): error.description
        case .cancelled: "rendering was stopped; nothing was written"
        }
    }
}
