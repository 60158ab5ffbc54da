internal import ArgumentParser
internal import Glibc
internal import Languages
internal import Scores
internal import Screens
internal import Session

/// Offers the user of a second `play` to control the first one.
enum SessionOffer {
    /// Asks what to do about the session that is playing. Returns true if the new session may begin in its place, false
    /// if there is nothing more to do.
    static func isTaken(_ error: SessionError, _ folder: SessionFolder) throws -> Bool {
        guard Terminal.isInteractive else {
            throw Failure.exit(.busy, localized("\(error); `barline stop` ends it, `barline pause` pauses it"))
        }
        Failure.say("\(error)")
        StandardError.write(localized("p pause or resume   s stop   n stop it and play this   q quit") + "\n")
        let terminal = Terminal()
        terminal.hold()
        defer { terminal.release() }
        while true {
            var key: UInt8 = 0
            let count = read(0, &key, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return false }
            switch UnicodeScalar(key) {
            case "p": StandardError.write(try ask(.pause, folder).printable + "\n")
            case "s":
                StandardError.write(try ask(.stop, folder).printable + "\n")
                return false
            case "n":
                _ = try ask(.stop, folder)
                return waitForEnd(folder)
            case "q": return false
            default: continue
            }
            return false
        }
    }

    private static func ask(_ request: SessionRequest, _ folder: SessionFolder) throws -> String {
        do throws(SessionError) {
            return try SessionClient.ask(request, folder)
        } catch .none {
            return localized("it has ended")
        } catch {
            throw Failure.exit(.noDevice, error)
        }
    }

    /// Waits until the session has ended, including the fade of its drone: at most about four seconds.
    private static func waitForEnd(_ folder: SessionFolder) -> Bool {
        for _ in 0..<200 {
            do throws(SessionError) { _ = try SessionClient.ask(.status, folder) } catch { return true }
            usleep(20_000)
        }
        return false
    }
}
