/// Signature counter of one credential: a use is accepted only when its counter is greater than the last one that was.
///
/// A credential whose counter is 0, and stays 0, does not count (UAF authenticator commands 1.1, section 6.1.2).
package struct SignatureCounterModel: SequentialModel {
    /// Use of the credential with a counter.
    package struct Call: Hashable, Sendable, CustomStringConvertible {
        /// The counter in the signed data.
        package let counter: UInt32

        /// Names the counter.
        package init(_ counter: UInt32) { self.counter = counter }

        package var description: String { "use \(counter)" }
    }

    /// The counter before the first use.
    package let initialState: UInt32

    /// Counter that begins at `counter`.
    package init(startingAt counter: UInt32 = 0) { initialState = counter }

    package func outcomes(
        of call: Call, in state: UInt32, during span: TimeSpan
    ) -> [ModelOutcome<UInt32, Decision>] {
        let grows = state < call.counter || (state == 0 && call.counter == 0)
        return [grows ? ModelOutcome(.accepted, call.counter) : ModelOutcome(.refused, state)]
    }

    package func isReadOnly(_ call: Call, answered answer: Decision) -> Bool { answer == .refused }
}
