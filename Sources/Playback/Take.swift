internal import CDrone
internal import Files
internal import Glibc
internal import SystemPackage
package import Timing

/// A recording that is made while music plays: the sound in a file, and beside it a timing log whose frames are those of the
/// recording, so that each frame has its place in the score.
///
/// Both files appear as a whole at the end. If the disk is full, or the microphone goes away, the recording ends there, and
/// what was recorded until then is kept; of nothing, no file is made.
package final class Take {
    /// What the player should know.
    package enum News: Sendable, Equatable {
        /// The microphone has gone away, for the reason given.
        case gone(String)
        /// The disk is full, or the file cannot be written for another reason.
        case full(String)
        /// The microphone gives nothing but silence.
        case silent
        /// The recording is clipped.
        case clipped
    }

    package let microphone: Microphone
    /// The file; nil if the recording is only listened to.
    private let path: String?
    private var ear: (any TakeEar)?
    private var due: [DueClick] = []
    private var dueBefore = -Double.infinity
    /// How much later than it leaves the card the sound arrives in the recording, in s.
    private let delay: Double
    private var file: NewFile?
    private var sound: SoundFile?
    private var room: DiskRoom
    /// Why the recording has ended by itself; nil if it has not.
    private(set) var ended: News?
    private var rows: [(row: TimingRow, heard: Double)] = []
    private var placed: [TimingRow] = []
    private var isEmpty = true
    private var peak: Float = 0
    private var clipped = 0
    private var told: Set<Int> = []
    private let tell: (News) -> Void

    /// The samples of a recording.
    private static let format = SampleFormat.bits24
    /// Samples at full scale from which on the recording counts as clipped, and how long silence lasts until it is told, in s.
    private static let (clippedSamples, silentFor) = (8, 3)
    private static let fullScale: Float = 0.9999
    private static let silence: Float = 1e-6
    /// How long after a boundary its frame is computed, in ns: by then the clock is known on both sides.
    private static let observedFor = 300_000_000.0
    /// More rows than this are not kept.
    private static let mostRows = 1_000_000

    /// The path of the timing log of a recording.
    package static func timingPath(of path: String) -> String { path + ".csv" }

    /// The path of a recording that replaces no other one and no log of one: `path`, or with a number, as `take-2.flac`.
    package static func free(_ path: String) -> String {
        let dot = path.lastIndex(of: ".") ?? path.endIndex
        func numbered(_ number: Int) -> String {
            number == 1 ? path : "\(path[..<dot])-\(number)\(path[dot...])"
        }
        func isFile(_ path: String) -> Bool {
            var about = stat()
            return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
        }
        var number = 1
        while isFile(numbered(number)) || isFile(timingPath(of: numbered(number))) { number += 1 }
        return numbered(number)
    }

    /// Begins to listen, without a file.
    package init(_ microphone: Microphone, ear: any TakeEar, delay: Duration, tell: @escaping (News) -> Void) {
        (self.microphone, path, self.ear, self.tell) = (microphone, nil, ear, tell)
        self.delay = delay / .seconds(1)
        room = DiskRoom(-1)
    }

    /// Begins a recording; its type is that of the extension. `tell` is called once for each kind of news, and `ear` hears all
    /// that is recorded. Errors: the file cannot be written.
    package init(
        _ microphone: Microphone, to path: String, type: FileType, ear: (any TakeEar)? = nil, delay: Duration,
        tell: @escaping (News) -> Void
    ) throws(RenderError) {
        (self.microphone, self.path, self.ear, self.tell) = (microphone, path, ear, tell)
        self.delay = delay / .seconds(1)
        do throws(FileError) { file = try NewFile(path) } catch { throw RenderError(error) }
        // The folder must take both files: that is known now, and not after an hour.
        let log = Take.timingPath(of: path)
        do throws(FileError) { _ = try NewFile(log) } catch { throw .cannotWrite(error.reason, path: log) }
        let descriptor = file?.descriptor ?? -1
        room = DiskRoom(descriptor)
        let format = SoundFormat(rate: microphone.rate, channels: 1, samples: Take.format)
        sound = try SoundFile(descriptor: descriptor, type: type, format: format, frames: 0)
    }

    /// Takes a boundary as it was heard at the card: `heard` in ns of CLOCK_MONOTONIC.
    package func add(_ row: TimingRow, heard: Double) {
        if path != nil, rows.count + placed.count < Take.mostRows { rows.append((row, heard)) }
    }

    /// Takes clicks that are heard at the card for certain, and the time (CLOCK_MONOTONIC, ns) before which all are known.
    package func expect(_ clicks: [DueClick], before time: Double) {
        guard ear != nil else { return }
        due += clicks
        dueBefore = time
    }

    /// Reads and writes all that has been recorded until now. False once the recording has ended.
    package func step(at now: Int64) -> Bool {
        guard ended == nil else { return false }
        do throws(RenderError) {
            let reading = try microphone.read { samples throws(RenderError) in
                try write(samples)
                ear?.hear(samples)
            }
            if case .gone(let reason) = reading { end(.gone(reason)) }
        } catch {
            end(.full("\(error)"))
        }
        place(before: Double(now) - Take.observedFor)
        placeDue()
        if peak < Take.silence, microphone.count > Int64(Take.silentFor * microphone.rate) { say(.silent) }
        if clipped >= Take.clippedSamples { say(.clipped) }
        return ended == nil
    }

    private func write(_ samples: ArraySlice<Float>) throws(RenderError) {
        guard path != nil else { return meter(samples) }
        // Three bytes for each sample, even if it cannot be compressed.
        if let error = room.reserve(Int64(samples.count) * 3 + 4096) { throw .cannotWrite(error.reason) }
        var bytes = [UInt8](repeating: 0, count: samples.count * 3)
        meter(samples)
        for (index, sample) in samples.enumerated() {
            let value = Int32((max(-1, min(sample, 1)) * 8_388_607).rounded())
            for byte in 0..<3 { bytes[3 * index + byte] = UInt8(truncatingIfNeeded: value >> (8 * Int32(byte))) }
        }
        let failure = bytes.withUnsafeBytes { bytes -> RenderError? in
            do throws(RenderError) {
                try sound?.write(bytes)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        isEmpty = false
    }

    private func meter(_ samples: ArraySlice<Float>) {
        for sample in samples {
            let size = abs(sample)
            peak = max(peak, size)
            if size >= Take.fullScale { clipped += 1 }
        }
    }

    /// Gives clicks their frames in the recording, once its clock is known.
    private func placeDue() {
        guard let ear else { return }
        func frame(_ time: Double) -> Double? {
            time == .infinity ? .infinity : microphone.frame(at: time + delay * 1e9)
        }
        guard dueBefore > -.infinity, let before = frame(dueBefore) else { return }
        ear.expect(due.compactMap { click in frame(click.time).map { (click, $0) } }, before: before)
        due = []
    }

    /// Gives boundaries their frames in the recording.
    private func place(before time: Double) {
        while let (row, heard) = rows.first, heard + delay * 1e9 < time || ended != nil {
            guard let frame = microphone.frame(at: heard + delay * 1e9) else { return }
            rows.removeFirst()
            guard frame >= 0, ended == nil || frame < Double(microphone.count) else { continue }
            let whole = frame.rounded(.down)
            placed.append(
                row.placed(at: FramePosition(frame: Int64(whole), fraction: frame - whole)))
        }
    }

    private func end(_ news: News) {
        ended = ended ?? news
        say(news)
    }

    private func say(_ news: News) {
        let kind =
            switch news {
            case .gone: 0;
            case .full: 1;
            case .silent: 2;
            case .clipped: 3
            }
        if told.insert(kind).inserted { tell(news) }
    }

    /// Hears what has been recorded until now to its end: no clicks follow.
    package func hearOut(at now: Int64) {
        _ = step(at: now)
        microphone.settle()
        placeDue()
        ear?.finish()
        ear = nil
    }

    /// Moves a file to a path if neither that nor its log exist; returns whether it did.
    private static func keep(_ file: inout NewFile, at path: String) throws(FileError) -> Bool {
        guard free(path) == path else { return false }
        do throws(FileError) { try file.keep(at: path) } catch {
            guard case .exists = error else { throw error }
            return false
        }
        return true
    }

    /// Ends the recording, and keeps both files, the sound first: it cannot be recorded again. Errors: one of them cannot be
    /// written; the error names it. Without the sound there is no log. Returns the path of the recording; nil if none is kept.
    /// If another file has got the path that was asked for, the recording has another one.
    @discardableResult
    package func finish(at now: Int64) throws(RenderError) -> String? {
        hearOut(at: now)
        place(before: .infinity)
        guard let path else { return nil }
        room.release()
        // A file that is not kept is removed here: the program may end before this take is released.
        defer {
            sound = nil
            file = nil
        }
        guard !isEmpty || ended == nil else { return nil }
        try sound.take()?.finish()
        var kept = path
        if var file = file.take() {
            do throws(FileError) {
                // Another recording may have got the name, and neither can be made again.
                while try !Take.keep(&file, at: kept) { kept = Take.free(path) }
            } catch { throw RenderError(error) }
        }
        let (log, lines) = (Take.timingPath(of: kept), [TimingRow.header] + placed.map(\.csv))
        do throws(FileError) {
            try TextFile.replace(log, Array(lines.map { $0 + "\n" }.joined().utf8))
        } catch {
            throw .cannotWrite(error.reason, path: log)
        }
        return kept
    }
}

/// Listens to what a take records, piece by piece, on the thread of its recorder.
package protocol TakeEar: AnyObject {
    /// Takes clicks with their frames in the recording, in order. All clicks before a frame are known then.
    func expect(_ clicks: [(click: DueClick, frame: Double)], before frame: Double)
    /// Takes what has been recorded next.
    func hear(_ sound: ArraySlice<Float>)
    /// Nothing more comes.
    func finish()
}

/// Room on the disk that is reserved before it is needed, so that a file never ends within a sample.
private struct DiskRoom {
    private let descriptor: Int32
    private var reserved: Int64 = 0
    /// What is left for the end of the file and for the timing log.
    private static let ending: Int64 = 1 << 20
    private var step: Int64 = 4 << 20

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// How large a file of this process may become: reserving room does not tell of that limit.
    private static var largest: Int64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return .max }
        return Int64(clamping: limit.rlim_cur)
    }

    /// Why so many bytes more cannot be written, and the file be ended after that; nil if they can.
    mutating func reserve(_ bytes: Int64) -> Errno? {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else { return nil }
        let needed = Int64(about.st_size) + bytes + DiskRoom.ending
        guard needed <= DiskRoom.largest else { return .fileTooLarge }
        while needed > reserved {
            let error = drone_capture_reserve(descriptor, reserved, step)
            // A file system that cannot reserve room tells only in the middle of a write that it is full.
            if error == -EOPNOTSUPP || error == -ENOSYS { return nil }
            if error == 0 {
                reserved += step
            } else if step > needed - reserved {
                // On a disk that is almost full, what is needed may still fit.
                step = max(step / 2, needed - reserved)
            } else {
                return .noSpace
            }
        }
        return nil
    }

    /// Gives back what was not used.
    func release() {
        let size = lseek(descriptor, 0, SEEK_END)
        if size >= 0 { _ = ftruncate(descriptor, size) }
    }
}
