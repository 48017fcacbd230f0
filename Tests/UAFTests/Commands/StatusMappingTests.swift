import Testing
import UAF

@Suite("ASM API 1.1, 3.2: mapping of status codes")
struct StatusMappingTests {
    @Test(
        "Every module status becomes the stated client error, unknown ones become unknown",
        arguments: [
            (0x00, 0x00), (0x01, 0xFF), (0x02, 0x0C), (0x03, 0x03), (0x04, 0x0D), (0x09, 0x09), (0x0B, 0x05),
            (0x0E, 0x0E), (0x0F, 0x0F), (0x10, 0x10), (0x11, 0x11), (0x77, 0xFF), (-1, 0xFF),
        ] as [(Int16, UInt16)])
    func clientErrors(status: Int16, code: UInt16) {
        #expect(ASMStatus(rawValue: status).clientErrorCode == ClientErrorCode(rawValue: code))
    }

    @Test(
        "Every command status becomes the stated module status, unknown ones become an error",
        arguments: [
            (0x00, 0x00), (0x01, 0x01), (0x02, 0x02), (0x03, 0x11), (0x04, 0x04), (0x05, 0x03), (0x06, 0x01),
            (0x07, 0x01), (0x08, 0x01), (0x09, 0x09), (0x0A, 0x01), (0x0E, 0x0E), (0x0F, 0x0F), (0x10, 0x10),
            (0x99, 0x01),
        ] as [(UInt16, Int16)])
    func moduleStatus(command: UInt16, status: Int16) {
        let found = CommandStatus(rawValue: command).asmStatus(after: .register)
        #expect(found == ASMStatus(rawValue: status))
    }

    @Test("A user who is not enrolled is refused access when signing")
    func notEnrolled() {
        #expect(CommandStatus.userNotEnrolled.asmStatus(after: .sign) == .accessDenied)
    }
}
