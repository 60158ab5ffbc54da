internal import CALSA

#if canImport(Glibc)
    internal import Glibc
#endif

/// alsa-lib's own functions, where the tests' executable has the wrappers' in their place: what a card could not do
/// without them.
enum AlsaLib {
    typealias Status = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
    typealias Htimestamp =
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<snd_pcm_uframes_t>?, UnsafeMutablePointer<snd_htimestamp_t>?
        ) -> Int32

    static let status = function("snd_pcm_status", as: Status.self)
    static let htimestamp = function("snd_pcm_htimestamp", as: Htimestamp.self)

    private static func function<T>(_ name: String, as _: T.Type) -> T {
        guard let found = dlsym(dlopen("libasound.so.2", RTLD_NOW | RTLD_NOLOAD), name) else {
            fatalError("alsa-lib has no \(name)")
        }
        return unsafeBitCast(found, to: T.self)
    }
}
