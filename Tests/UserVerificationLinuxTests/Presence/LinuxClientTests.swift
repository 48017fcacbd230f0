import Foundation
import MobileAuthentication
import TestSupport
import Testing
import UserVerificationLinux

/// What an application on Linux writes, as `docs/app/authenticators.md` shows it.
@Suite("The client of an application on Linux")
struct LinuxClientTests {
    private let folder: TestSupport.TemporaryFolder

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    private var initializer: MobileAuthenticationClientInitializer {
        MobileAuthenticationClientInitializer().configuration(Configuration(authCloudHostname: "server.example"))
            .keyVault(.software).storeDirectory(URL(filePath: folder.path + "/client"))
    }

    /// What the operating system of this machine offers to the client.
    private func offers(_ initializer: MobileAuthenticationClientInitializer) async throws -> Set<AuthenticatorAaid> {
        let authenticators = try await initializer.perform().localData.authenticators
        return Set(authenticators.filter(\.isSupportedByOs).compactMap { AuthenticatorAaid(rawValue: $0.aaid) })
    }

    @Test("One line gives it the passcode and the fingers of the machine; without it there are PIN and password")
    func oneLine() async throws {
        let secrets: Set<AuthenticatorAaid> = [.Pin, .Password]
        let bare = try await offers(initializer)
        #expect(bare == secrets)
        let entry = TypedPasscode("right")
        let offered = try await offers(initializer.userPresence(LinuxUserPresence(passcodeEntry: entry)))
        #expect(offered.isSuperset(of: secrets))
        #expect(offered.contains(.DevicePasscode) == PAMService.signet.isInstalled)
        #expect(entry.prompts.isEmpty)
    }

    @Test("It offers what the sensor and the service file that verify the user have", LinuxMachine.requirement)
    func machine() async throws {
        let machine = try LinuxMachine()
        let offered = try await offers(initializer.userPresence(machine.user))
        #expect(offered.contains(.DevicePasscode))
        #expect(offered.contains(.Fingerprint))
        #expect(!offered.contains(.FaceRecognition))
    }
}
