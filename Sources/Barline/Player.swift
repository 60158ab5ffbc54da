public import Playback
public import Scores
public import Timing

/// A performance that is playing.
///
/// It begins to play when it is made, and plays until the end of the piece, until `stop`, or until no reference to it
/// is left. There is nothing to start and nothing to close. Commands after the end do nothing.
public final class Player: Sendable {
    /// The piece, for places and durations.
    public let timeline: Timeline
    let audience: Audience
    private let conductor: Conductor
    private let playing: Task<Void, Never>

    /// How a performance is played. The options do not change what is played.
    public struct Options: Sendable {
        /// The rate, channels and sample format to request of the device, which plays the nearest that it has.
        public var format = SoundFormat()
        /// How much later the sound is heard than the device reports, for example with Bluetooth: -10 to 10 s.
        public var latency = Duration.zero
        /// Whether boundaries follow the wall clock. If not, the device's nominal rate is taken as exact.
        public var followsClock = true
        /// Receives a row for every boundary, in order, once it is certain when it was heard: up to two seconds later.
        public var log: (@Sendable (TimingRow) -> Void)?

        /// The defaults.
        public init() {}
    }

    /// Plays a score from its beginning, in the way that the score asks for. `a4` is in Hz, 380 ... 480.
    public convenience init(
        _ score: Score, device: String? = nil, a4: Double? = nil, speed: Speed? = nil, options: Options = Options()
    ) async throws(PlayerError) {
        let performance: Performance
        do throws(PerformanceError) {
            performance = try Performance(score, a4: a4, speed: speed)
        } catch {
            throw .performance(error)
        }
        try await self.init(performance, device: device, options: options)
    }

    /// Plays a performance.
    ///
    /// `device` is the name of an ALSA device, such as `Player.devices` lists; nil is the system's default. If there is
    /// no sound card at all, the performance follows the system's clock without sound; the name "null" asks for that.
    public init(
        _ performance: Performance, device: String? = nil, options: Options = Options()
    ) async throws(PlayerError) {
        do throws(PerformanceError) { try performance.check() } catch { throw .performance(error) }
        var conducting = Conductor.Options()
        conducting.latency = min(max(options.latency, .seconds(-10)), .seconds(10))
        conducting.followsClock = options.followsClock
        conducting.log = options.log
        let thread = OwnThread(isUrgent: true)
        let audience = Audience(thread)
        conducting.heard = { heard in
            audience.assumeIsolated {
                $0.hear(Boundary(bar: heard.bar, nominal: heard.time, isHeard: heard.isHeard))
            }
        }
        let (output, sound) = try Player.open(device, options.format.carrying(performance.passage.timeline))
        let conductor = Conductor(performance, output: output, sound: sound, options: conducting, on: thread)
        do throws(EngineError) { try await conductor.begin() } catch { throw .engine(error) }
        timeline = performance.passage.timeline
        (self.conductor, self.audience) = (conductor, audience)
        playing = Task {
            await conductor.play()
            await audience.end()
        }
    }

    deinit { conductor.send(.stop) }

    /// The boundaries, as they are heard.
    public var boundaries: Boundaries { Boundaries(player: self) }

    /// Waits until everything is silent.
    public func finish() async { await playing.value }

    /// What is heard at this moment.
    public var moment: Moment {
        get async { await status?.moment(at: monotonicNanoseconds()) ?? .waiting(left: .zero) }
    }

    /// The newest status; nil until the music has its place in time, some tenths of a second after the beginning.
    public var status: Status? { get async { await conductor.status } }

    // MARK: - Commands

    /// Carries out a command, and returns once it has taken effect.
    public func perform(_ command: Command) async { await conductor.perform(command) }

    /// Pauses: the music stands still, the drone falls silent.
    public func pause() async { await perform(.pause) }

    /// Goes on from a pause, or from a hold that waits for the player.
    public func goOn() async { await perform(.resume) }

    /// Jumps to a place and plays on from there: "5.7" is line 5, bar 7, "57" is bar 57; or give a label.
    /// See `Place`.
    public func go(to place: String) async throws(TextError) {
        await perform(.jump(.bar(try Place(place, in: timeline).bars.lowerBound)))
    }

    /// Loops from one place to the end of another; without the other, loops the first place alone.
    public func loop(_ first: String, to last: String? = nil) async throws(TextError) {
        let begin = try Place(first, in: timeline).bars
        let end = try last.map { (text) throws(TextError) in try Place(text, in: timeline).bars } ?? begin
        guard begin.lowerBound < end.upperBound else { throw .order(first, last ?? first) }
        await perform(.practice([Passage.Stretch(begin.lowerBound..<end.upperBound)], passes: nil))
    }

    /// Leaves the loop: the passage that was played before goes on from the bar that is sounding.
    public func leaveLoop() async { await perform(.practice(nil, passes: nil)) }

    /// Plays at another speed from now on.
    public func play(at speed: Speed) async { await perform(.speedTo(speed)) }

    /// Sets the drone to this note and makes it sound. A note beyond 16 ... 8000 Hz becomes the nearest of these pitches.
    public func drone(_ pitch: Pitch) async { await perform(.drone([Score.Drone.Note(pitch)])) }

    /// Ends with a fade. `finish` waits for the silence.
    public func stop() async { await perform(.stop) }
}
