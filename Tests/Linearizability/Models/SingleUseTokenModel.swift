/// One single-use token, of an out-of-band operation or a challenge: accepted once, and not after it was withdrawn.
package struct SingleUseTokenModel: SequentialModel {
    /// State of the token.
    package enum State: String, Hashable, Sendable, CustomStringConvertible {
        case valid, spent, withdrawn

        package var description: String { rawValue }
    }

    /// Operation on the token.
    package enum Call: String, Hashable, Sendable, CustomStringConvertible {
        /// Redemption.
        case redeem
        /// Withdrawal, because another token takes its place; always accepted.
        case withdraw

        package var description: String { rawValue }
    }

    package let initialState = State.valid

    /// Unused token.
    package init() {}

    package func outcomes(
        of call: Call, in state: State, during span: TimeSpan
    ) -> [ModelOutcome<State, Decision>] {
        switch (call, state) {
        case (.redeem, .valid): [ModelOutcome(.accepted, .spent)]
        case (.redeem, .spent), (.redeem, .withdrawn): [ModelOutcome(.refused, state)]
        case (.withdraw, .valid): [ModelOutcome(.accepted, .withdrawn)]
        case (.withdraw, .spent), (.withdraw, .withdrawn): [ModelOutcome(.accepted, state)]
        }
    }

    package func isReadOnly(_ call: Call, answered answer: Decision) -> Bool { answer == .refused }
}
