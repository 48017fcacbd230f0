/// Refusal to go on in a process that was tampered with, where the policy says ``GuardPolicy/Reaction/throwError``.
///
/// An application sees it as the cause of a `DeviceProtectionError`, of the initializer's `RootedError` where
/// ``GuardFinding/Kind/root`` is among the kinds.
public struct TamperingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of the findings; never empty, each once, in alphabetical order.
    public let kinds: [GuardFinding.Kind]

    init(_ kinds: [GuardFinding.Kind]) { self.kinds = kinds }

    /// The kinds, without the evidence.
    public var description: String { "tampering: " + kinds.map(\.rawValue).joined(separator: ", ") }
}
