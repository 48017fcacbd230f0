/// Refusal to go on in a process that was tampered with, where the policy says ``GuardPolicy/Reaction/throwError``.
///
/// An application that hands a ``GuardNetwork`` to the SDK sees it as the cause of a `DeviceProtectionError`.
public struct TamperingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of the findings; never empty, each once, in alphabetical order.
    public let kinds: [GuardFinding.Kind]

    init(_ kinds: [GuardFinding.Kind]) { self.kinds = kinds }

    /// The kinds, without the evidence.
    public var description: String { "tampering: " + kinds.map(\.rawValue).joined(separator: ", ") }
}
