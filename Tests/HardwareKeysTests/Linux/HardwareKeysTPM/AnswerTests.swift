import HardwareKeys
import HardwareKeysTPM
import Synchronization
import Testing

@Suite("What the answers of a TPM mean")
struct AnswerTests {
    private static let meanings: [(CommandPurpose, UInt32, KeyVaultError)] = [
        (.loading, 0x1DF, .damaged), (.loading, 0x2D5, .damaged), (.index, 0x18B, .unrecoverable),
        (.secretUse, 0x9A2, .wrongSecret), (.secretUse, 0x98E, .wrongSecret), (.secretUse, 0x12F, .lockedOut),
        (.secretUse, 0x99D, .unrecoverable), (.index, 0x9A2, .unrecoverable), (.index, 0x14A, .unrecoverable),
        (.ownership, 0x9A2, .ownerAuthorizationRequired), (.ownership, 0x98E, .ownerAuthorizationRequired),
        (.ownership, 0x14B, .hardwareFull), (.general, 0x920, .hardwareBusy), (.general, 0x921, .hardwareBusy),
        (.general, 0x922, .hardwareBusy), (.general, 0x923, .hardwareBusy), (.loading, 0x902, .hardwareOccupied),
        (.secretUse, 0x921, .hardwareBusy), (.general, 0x910, .hardwareBusy), (.general, 0x100, .hardwareUnavailable),
        (.general, 0xA000A, .hardwareUnavailable), (.secretUse, 0xA0008, .hardwareUnavailable),
        (.general, 0x7000A, .hardwareUnavailable), (.general, 0x101, .hardwareFailed(code: 0x101)),
        (.general, 0x9A2, .hardwareFailed(code: 0x9A2)), (.general, 0x7001B, .hardwareFailed(code: 0x7001B)),
        (.loading, 0xB01DF, .damaged),
    ]

    @Test("The same number means different things for different purposes", arguments: meanings)
    func meaning(purpose: CommandPurpose, code: UInt32, error: KeyVaultError) {
        #expect(purpose.error(for: ResponseCode(code)) == error)
    }

    private func commands(until last: Int, answering code: UInt32) -> (sent: Int, pauses: [UInt32], answer: UInt32) {
        let pauses = Mutex<[UInt32]>([])
        let retry = CommandRetry(attempts: 5) { milliseconds in pauses.withLock { $0.append(milliseconds) } }
        var sent = 0
        let answer = retry.answer(to: {
            sent += 1
            return sent >= last ? 0 : code
        })
        return (sent, pauses.withLock(\.self), answer.value)
    }

    @Test("A chip that asks for patience is asked again, after waits that double", arguments: [0x920, 0x922, 0x902])
    func patience(code: UInt32) {
        let third = commands(until: 3, answering: code)
        #expect(third.sent == 3 && third.answer == 0 && third.pauses == [5, 10])
        let never = commands(until: .max, answering: code)
        #expect(never.sent == 5 && never.answer == code && never.pauses == [5, 10, 20, 40])
    }

    @Test("Any other answer is taken at once", arguments: [0, 0x921, 0x923, 0x9A2, 0x12F, 0x1DF, 0xA000A])
    func impatience(code: UInt32) {
        let result = commands(until: .max, answering: code)
        #expect(result.sent == 1 && result.answer == code && result.pauses.isEmpty)
    }
}
