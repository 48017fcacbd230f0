import Foundation
import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

@Suite("The service file that is shipped: packaging/pam/signet")
struct ShippedServiceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "packaging/pam").path()

    @Test("It takes passwords only, and no empty ones")
    func lines() throws {
        let text = try String(contentsOfFile: Self.folder + "/signet", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            lines.map { $0.split(separator: " ").map(String.init) } == [
                ["auth", "required", "pam_unix.so"], ["account", "required", "pam_unix.so"],
            ])
    }

    @Test("PAM understands it: a wrong passcode is refused by the module for passwords")
    func wrongPasscode() async throws {
        let service = try #require(PAMService(name: "signet", folder: Self.folder))
        let problems = Problems()
        let passcode = PAMPasscode(service: service, entry: TypedPasscode(UUID().uuidString)) { problems.add($0) }
        await #expect(throws: UserPresenceError.mismatch) {
            _ = try await passcode.verify(PresencePrompt(reason: "A test"))
        }
        #expect(problems.all.isEmpty)
    }
}
