import MobileAuthentication
import Synchronization

/// Keeps what is logged: level, category, message and fields.
final class KeptLog: SDKLogger {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    /// Lines about where the keys of a client lie.
    var aboutKeys: [String] { lines.filter { $0.contains(" client: Keys ") } }

    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
        let words = [level.description, category.rawValue + ":", message] + fields.map(\.description)
        kept.withLock { $0.append(words.joined(separator: " ")) }
    }
}
