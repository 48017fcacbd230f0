import CTSS2

/// Response code of a TPM or of the software in front of it (TPM 2.0, part 2, section 6.6).
package struct ResponseCode: Hashable, Sendable {
    package let value: UInt32

    package init(_ value: UInt32) { self.value = value }

    var isSuccess: Bool { value == 0 }

    /// Layer that produced the code: 0 is the chip; the software layers have other numbers.
    private var layer: UInt32 { value >> 16 & 0xFF }

    /// Whether the chip itself refused, and not the software or the line in between.
    var isFromChip: Bool { layer == 0 || layer == Layer.resourceManager }

    /// Whether the connection to the chip is broken: no device, no rights, no answer or half an answer.
    var isFromTransport: Bool {
        layer == Layer.transport || !isFromChip && Layer.brokenAnswers.contains(value & 0xFFFF)
    }

    /// The number without the place it complains about (which handle, session or parameter).
    var reason: UInt32 {
        guard isFromChip else { return value }
        let code = value & 0xFFFF
        return code & Format.one != 0 ? code & (Format.one | 0x3F) : code
    }

    /// Whether the chip complains about a handle, session or parameter.
    var isAboutAnArgument: Bool { isFromChip && value & Format.one != 0 }

    /// Whether the same command may succeed a little later: the chip asks for it, or another program has filled it.
    var asksForPatience: Bool {
        isFromChip && ([Self.nvRate, Self.retry].contains(reason) || Self.memory.contains(reason))
    }

    private enum Layer {
        static let transport: UInt32 = 10
        static let resourceManager: UInt32 = 11
        /// Of every layer: no connection, try again, input/output error, malformed or too short a response.
        static let brokenAnswers: Set<UInt32> = [8, 9, 10, 17, 19]
    }

    private enum Format {
        static let one: UInt32 = 0x080
    }
}

// The header defines them as sums of other macros, which are not imported.
extension ResponseCode {
    /// TPM_RC_INITIALIZE: the chip has not been started.
    static let initialize: UInt32 = 0x100
    /// TPM_RC_AUTH_UNAVAILABLE: the authorisation of this entity can no longer be used.
    static let authUnavailable: UInt32 = 0x12F
    /// TPM_RC_NV_UNINITIALIZED: the index was never written.
    static let nvUninitialized: UInt32 = 0x14A
    /// TPM_RC_NV_SPACE: no room for another index.
    static let nvSpace: UInt32 = 0x14B
    /// TPM_RC_NV_DEFINED: the handle is taken.
    static let nvDefined: UInt32 = 0x14C
    /// TPM_RC_ATTRIBUTES: this chip has nothing with these attributes.
    static let attributes: UInt32 = 0x082
    /// TPM_RC_VALUE: a number is out of range.
    static let value: UInt32 = 0x084
    /// TPM_RC_HANDLE: there is nothing at this handle.
    static let handle: UInt32 = 0x08B
    /// TPM_RC_AUTH_FAIL: wrong authorisation, counted by the chip's own lockout.
    static let authFail: UInt32 = 0x08E
    /// TPM_RC_POLICY_FAIL: the policy of the entity was not met.
    static let policyFail: UInt32 = 0x09D
    /// TPM_RC_BAD_AUTH: wrong authorisation, not counted by the chip's own lockout.
    static let badAuth: UInt32 = 0x0A2
    /// TPM_RC_OBJECT_MEMORY to TPM_RC_OBJECT_HANDLES: no room for another loaded object or session.
    static let memory: ClosedRange<UInt32> = 0x902...0x906
    /// TPM_RC_YIELDED, TPM_RC_CANCELED and TPM_RC_TESTING: stopped before it was done.
    static let interrupted: ClosedRange<UInt32> = 0x908...0x90A
    /// TPM_RC_REFERENCE_H0 to TPM_RC_REFERENCE_S6: what was loaded is gone, because the chip was started anew.
    static let references: ClosedRange<UInt32> = 0x910...0x91E
    /// TPM_RC_NV_RATE: too many writes in a short time.
    static let nvRate: UInt32 = 0x920
    /// TPM_RC_LOCKOUT: the chip's own lockout holds.
    static let lockout: UInt32 = 0x921
    /// TPM_RC_RETRY: send it again.
    static let retry: UInt32 = 0x922
    /// TPM_RC_NV_UNAVAILABLE: the memory cannot be written at the moment.
    static let nvUnavailable: UInt32 = 0x923
}
