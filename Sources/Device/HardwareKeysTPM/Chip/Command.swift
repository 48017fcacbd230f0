import Glibc
package import HardwareKeys

/// Purpose of a command; the same response code means different things for different purposes.
package enum CommandPurpose {
    case general
    /// A command that the owner of the chip authorises.
    case ownership
    /// Loading a key or a sealed secret from stored bytes, under the right parent.
    case loading
    /// Using something with the secret that a caller gave.
    case secretUse
    /// Using an index of the vault's own, with what the vault's files say.
    case index

    package func error(for code: ResponseCode) -> KeyVaultError {
        if code.isFromTransport { return .hardwareUnavailable }
        guard code.isFromChip else { return .hardwareFailed(code: code.value) }
        return specific(code) ?? general(code)
    }

    private func specific(_ code: ResponseCode) -> KeyVaultError? {
        switch (self, code.reason) {
        case (.ownership, ResponseCode.badAuth), (.ownership, ResponseCode.authFail): .ownerAuthorizationRequired
        case (.secretUse, ResponseCode.badAuth), (.secretUse, ResponseCode.authFail): .wrongSecret
        case (.secretUse, ResponseCode.authUnavailable): .lockedOut
        case (.secretUse, ResponseCode.policyFail): .unrecoverable
        case (.index, ResponseCode.badAuth), (.index, ResponseCode.handle): .unrecoverable
        case (.index, ResponseCode.nvUninitialized), (.index, ResponseCode.authUnavailable): .unrecoverable
        case (.loading, _) where code.isAboutAnArgument: .damaged
        default: nil
        }
    }

    private func general(_ code: ResponseCode) -> KeyVaultError {
        switch code.reason {
        case ResponseCode.initialize: .hardwareUnavailable
        case ResponseCode.nvSpace: .hardwareFull
        case ResponseCode.memory: .hardwareOccupied
        case ResponseCode.interrupted, ResponseCode.references: .hardwareBusy
        case ResponseCode.nvRate...ResponseCode.nvUnavailable: .hardwareBusy
        default: .hardwareFailed(code: code.value)
        }
    }
}

/// Sends a command again when the chip asks for it, waiting twice as long each time.
package struct CommandRetry: Sendable {
    /// The rule of production: nine tries within a little more than a second.
    package static let standard = CommandRetry(attempts: 9, pause: { usleep($0 * 1_000) })

    private static let firstPause: UInt32 = 5

    private let attempts: Int
    private let pause: @Sendable (UInt32) -> Void

    /// Sends a command so often at most; `pause` waits so many milliseconds.
    package init(attempts: Int, pause: @escaping @Sendable (UInt32) -> Void) {
        self.attempts = attempts
        self.pause = pause
    }

    /// The last answer.
    package func answer(to command: () -> UInt32) -> ResponseCode {
        var milliseconds = Self.firstPause
        for _ in 1..<attempts {
            let code = ResponseCode(command())
            guard code.asksForPatience else { return code }
            pause(milliseconds)
            milliseconds *= 2
        }
        return ResponseCode(command())
    }
}
