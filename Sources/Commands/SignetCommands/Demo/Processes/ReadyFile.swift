import Foundation
import StrictJSON

/// The file in which a server says that it is ready, and where it listens.
struct ReadyFile {
    /// How long a server may take until it answers.
    private static let patience: Duration = .seconds(180)

    /// The file.
    let url: URL

    /// Removes what an earlier process has said.
    func clear() { try? FileManager.default.removeItem(at: url) }

    /// Waits for what a process says; throws ``CommandFailure`` when it ends or takes too long.
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
                    "ServerFailed", "the server ended with code \(ending.code): \(ending.complaints.suffix(600))")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        process.kill()
        throw CommandFailure.local("ServerFailed", "the server was not ready within \(Self.patience)")
    }
}
