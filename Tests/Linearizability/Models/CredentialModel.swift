/// One credential: registered, used with a growing counter, removed, and registered anew.
package struct CredentialModel: SequentialModel {
    /// State of the credential.
    package enum State: Hashable, Sendable, CustomStringConvertible {
        case absent
        /// Registered, with the counter of its last use.
        case registered(counter: UInt32)

        package var description: String {
            switch self {
            case .absent: "not registered"
            case .registered(let counter): "registered with counter \(counter)"
            }
        }
    }

    /// Operation on the credential.
    package enum Call: Hashable, Sendable, CustomStringConvertible {
        /// Registration with a counter; refused when the key is registered.
        case register(counter: UInt32)
        /// Authentication with a counter; refused when the key is not registered or the counter not greater.
        case authenticate(counter: UInt32)
        /// Removal, which is accepted whether or not there is anything left to remove.
        case remove

        package var description: String {
            switch self {
            case .register(let counter): "register \(counter)"
            case .authenticate(let counter): "authenticate \(counter)"
            case .remove: "remove"
            }
        }
    }

    package let initialState: State

    /// Credential in a state.
    package init(_ state: State = .absent) { initialState = state }

    package func outcomes(
        of call: Call, in state: State, during span: TimeSpan
    ) -> [ModelOutcome<State, Decision>] {
        switch (call, state) {
        case (.register(let counter), .absent): [ModelOutcome(.accepted, .registered(counter: counter))]
        case (.register, .registered), (.authenticate, .absent): [ModelOutcome(.refused, state)]
        case (.authenticate(let counter), .registered(let last)):
            last < counter || (last == 0 && counter == 0)
                ? [ModelOutcome(.accepted, .registered(counter: counter))] : [ModelOutcome(.refused, state)]
        case (.remove, _): [ModelOutcome(.accepted, .absent)]
        }
    }

    package func isReadOnly(_ call: Call, answered answer: Decision) -> Bool { answer == .refused }
}
