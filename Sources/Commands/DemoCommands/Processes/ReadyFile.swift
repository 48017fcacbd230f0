import CommandSupport
import Foundation
import StrictJSON

/// File in which a process announces that it is ready, and its ports.
struct ReadyFile {
    private static let patience: Duration = .seconds(180)

    let url: URL
    var process = "the server"

    func clear() { try? FileManager.default.removeItem(at: url) }

    /// Waits for the announcement of a process; throws ``CommandFailure`` when the process exits or takes too long.
    func announcement(of process: ChildProcess) async throws -> JSONObject {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.patience
        while clock.now < deadline {
            if let content = FileManager.default.contents(atPath: url.path()),
                case .object(let members)? = try? JSONParser.parse([UInt8](content))
            {
                return members
            }
            guard process.isRunning else {
                let ending = await process.ending()
                throw CommandFailure.local(
                    "ServerFailed", "\(self.process) ended with code \(ending.code): \(ending.complaints.suffix(600))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.kill()
        throw CommandFailure.local("ServerFailed", "\(self.process) was not ready within \(Self.patience)")
    }
}
