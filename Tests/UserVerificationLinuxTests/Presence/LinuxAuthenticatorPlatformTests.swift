import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

@Suite("What a Linux machine offers to authenticators (4.3)", LinuxMachine.requirement)
struct LinuxAuthenticatorPlatformTests {
    private let machine: LinuxMachine

    init() throws {
        machine = try LinuxMachine()
    }

    private func support(for verification: PlatformVerification) async throws -> PlatformSupport {
        await LinuxAuthenticatorPlatform(sensor: machine.sensor, service: try machine.service).support(
            for: verification)
    }

    @Test("Fingers are offered as far as sensor, service and enrolment go")
    func fingers() async throws {
        #expect(
            try await support(for: .fingerprint)
                == PlatformSupport(isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: false))
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        #expect(try await support(for: .fingerprint) == .complete)
        try machine.fingers.permit(false)
        #expect(
            try await support(for: .fingerprint)
                == PlatformSupport(isSupportedByHardware: false, isSupportedByOs: true, isEnrolled: false))
        machine.fingers.killService()
        #expect(try await support(for: .fingerprint) == .absent)
    }

    @Test("The passcode is offered where its service is installed, and it is not tried")
    func passcode() async throws {
        #expect(try await support(for: .devicePasscode) == .complete)
        let elsewhere = try #require(PAMService(name: "absent", folder: machine.services.folder))
        let platform = LinuxAuthenticatorPlatform(sensor: machine.sensor, service: elsewhere)
        let support = await platform.support(for: .devicePasscode)
        #expect(!support.isSupportedByOs && !support.isEnrolled)
        #expect(machine.entry.prompts.isEmpty)
    }

    @Test("Faces are not offered")
    func faces() async throws {
        #expect(try await support(for: .face) == .absent)
    }
}
