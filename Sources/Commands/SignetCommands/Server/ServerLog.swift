import Logging
import ServerConfiguration
import ServerCore
import ServerHTTP

/// The log of the server: lines of JSON on standard error.
enum ServerLog {
    /// Makes the process's logger.
    static func logger(level: Deployment.LogLevel) -> Logger {
        let clock = SystemWallClock()
        return Logger(label: "signet-server") { label in
            JSONLineLogHandler(
                label: label, level: Logger.Level(rawValue: level.rawValue) ?? .info,
                timestamp: { clock.now().iso8601 }, write: StandardError.write)
        }
    }

    /// For commands that only say what they did.
    static let quiet = logger(level: .error)
}
