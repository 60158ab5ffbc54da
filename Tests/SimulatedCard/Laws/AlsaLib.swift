internal import CALSA
internal import Glibc

/// The original functions of alsa-lib, which the wrappers replace in the test executable: they show how a card behaves
/// without the wrappers.
enum AlsaLib {
    typealias Status = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
    typealias Htimestamp =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<snd_pcm_uframes_t>?, UnsafeMutablePointer<snd_htimestamp_t>?
        ) -> Int32

    typealias Rewind = @convention(c) (OpaquePointer?, snd_pcm_uframes_t) -> snd_pcm_sframes_t
    typealias Ask = @convention(c) (OpaquePointer?) -> Int32
    typealias PCMType = @convention(c) (OpaquePointer?) -> snd_pcm_type_t
    typealias SetStampType = @convention(c) (OpaquePointer?, OpaquePointer?, snd_pcm_tstamp_type_t) -> Int32

    static let status = function("snd_pcm_status", as: Status.self)
    static let htimestamp = function("snd_pcm_htimestamp", as: Htimestamp.self)
    static let rewind = function("snd_pcm_rewind", as: Rewind.self)
    static let drain = function("snd_pcm_drain", as: Ask.self)
    static let type = function("snd_pcm_type", as: PCMType.self)
    static let isBatch = function("snd_pcm_hw_params_is_batch", as: Ask.self)
    static let setStampType = function("snd_pcm_sw_params_set_tstamp_type", as: SetStampType.self)

    private static func function<T>(_ name: String, as _: T.Type) -> T {
        guard let found = dlsym(dlopen("libasound.so.2", RTLD_NOW | RTLD_NOLOAD), name) else {
            fatalError("alsa-lib has no \(name)")
        }
        return unsafeBitCast(found, to: T.self)
    }
}
