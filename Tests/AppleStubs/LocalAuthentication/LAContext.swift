public import Security
import Synchronization

/// The pointer type that Objective-C gives errors back with.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// A conversation with the user of the current device.
public final class LAContext {
    private struct State {
        var passed: Set<UInt> = []
        var isInvalid = false
        var isSilent = false
        var open: (@Sendable (Bool, (any Error)?) -> Void)?
        var fallbackTitle: String?
        var cancelTitle: String?
        var biometryType = LABiometryType.none
        var domainState: Data?
    }

    private let state = Mutex(State())

    /// A context in which no user has passed a check.
    public init() {}

    /// Whether questions to the user fail instead of being asked.
    public var interactionNotAllowed: Bool {
        get { state.withLock { $0.isSilent } }
        set { state.withLock { $0.isSilent = newValue } }
    }

    /// The button for another method; nil for the system's button, empty for none.
    public var localizedFallbackTitle: String? {
        get { state.withLock { $0.fallbackTitle } }
        set { state.withLock { $0.fallbackTitle = newValue } }
    }

    /// The button that cancels; nil for the system's button.
    public var localizedCancelTitle: String? {
        get { state.withLock { $0.cancelTitle } }
        set { state.withLock { $0.cancelTitle = newValue } }
    }

    /// State of the enrolled biometrics; nil until the user could have passed a policy about them.
    public var evaluatedPolicyDomainState: Data? { state.withLock { $0.domainState } }

    /// The sensor of the device; none until ``canEvaluatePolicy(_:error:)`` was called.
    public var biometryType: LABiometryType { state.withLock { $0.biometryType } }

    /// Whether the user could pass; asks him nothing.
    public func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        let sensor = StubDevice.current.with { LABiometryType(rawValue: $0.biometryType) ?? .none }
        state.withLock { $0.biometryType = sensor }
        let isBiometric = policy == .deviceOwnerAuthenticationWithBiometrics
        let obstacle = StubDevice.current.with { $0.obstacle(isBiometric ? .biometryAny : .userPresence) }
        error?.pointee = obstacle.map { LAError.error($0) }
        if isBiometric, obstacle == nil {
            let enrolled = StubDevice.current.with { $0.enrollmentState }
            state.withLock { $0.domainState = enrolled }
        }
        return obstacle == nil
    }

    /// Asks the user for what an access control asks for.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        precondition(!localizedReason.isEmpty, "the framework raises an exception here")
        let words = state.withLock { [localizedReason, $0.fallbackTitle, $0.cancelTitle] }
        let waits = StubDevice.current.with { device in
            device.words = words
            return device.leavesQuestionsOpen
        }
        let isInvalid = state.withLock { state in
            if waits, !state.isInvalid { state.open = reply }
            return state.isInvalid
        }
        if waits, !isInvalid { return }
        let refusal = authorize(accessControl.flags)
        reply(refusal == nil, refusal)
    }

    /// Ends a waiting question and every right that the context has.
    public func invalidate() {
        let open = state.withLock { state in
            state.isInvalid = true
            return state.open.take()
        }
        open?(false, LAError.error(.appCancel))
    }

    /// Question of the Secure Enclave: whether the user has passed, or passes now; nil means yes.
    public func authorize(_ flags: SecAccessControlCreateFlags) -> NSError? {
        let (isKnown, isInvalid, isSilent) = state.withLock {
            ($0.passed.contains(flags.rawValue), $0.isInvalid, $0.isSilent)
        }
        if isInvalid { return LAError.error(.invalidContext) }
        if isKnown { return nil }
        if isSilent { return LAError.error(.notInteractive) }
        if let code = StubDevice.current.with({ $0.ask(flags) }) { return LAError.error(code) }
        state.withLock { _ = $0.passed.insert(flags.rawValue) }
        return nil
    }
}
