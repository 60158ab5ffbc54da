internal import Files
internal import Scores

/// A device that the kernel can play into, whether or not it can be opened now.
package struct KernelDevice: Sendable, Equatable {
    /// Its ALSA name, such as `hw:0,3`.
    package let name: String
    /// What the kernel calls it, such as `ALC287 Analog`.
    package let title: String

    package static func all() -> [KernelDevice] {
        let list = (try? FileBytes.read("/proc/asound/pcm", limit: 1 << 20)) ?? []
        return all(in: String(decoding: list, as: UTF8.self))
    }

    /// Those in a list like `/proc/asound/pcm`: `00-03: HDMI 0 : HDMI 0 : playback 1`.
    package static func all(in list: String) -> [KernelDevice] {
        list.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: ":", omittingEmptySubsequences: false).map { String($0).trimmingBlanks }
            let numbers = parts[0].split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2, parts.dropFirst(2).contains(where: { $0.hasPrefix("playback") }) else {
                return nil
            }
            return KernelDevice(name: "hw:\(numbers[0]),\(numbers[1])", title: parts[1])
        }
    }
}
