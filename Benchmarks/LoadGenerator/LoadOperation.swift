package import TestSupport

/// Operation that a load consists of.
package enum LoadOperation: String, Sendable, Hashable, CaseIterable {
    /// Sign-in: request for an authentication, and its answer.
    case signIn = "sign-in"
    /// Registration of a first key of a new user.
    case registration
    /// Operation that a portal dispatches by link, a phone redeems and answers, and the portal asks about afterwards.
    case outOfBand = "out-of-band"
    /// The same, with a portal that waits for the status while the phone answers.
    case statusWait = "status-wait"
    /// Request for an authentication alone: a look-up of user and credentials that writes nothing.
    case lookup
}

/// Operations with their weights, of which one is drawn for each arrival.
package struct OperationMix: Sendable {
    /// Sign-ins only.
    package static let signIns = OperationMix([(.signIn, 1)])
    /// Look-ups only.
    package static let lookups = OperationMix([(.lookup, 1)])
    /// Out-of-band operations only.
    package static let outOfBand = OperationMix([(.outOfBand, 1)])
    /// Operations of a large installation: of 10,000 that are proposed for it, 5,750 are sign-ins in the application with
    /// and without a transaction, 3,900 out of band, half of them with a portal that waits, and 120 registrations.
    package static let ordinary = OperationMix([
        (.signIn, 5_750), (.outOfBand, 1_950), (.statusWait, 1_950), (.registration, 120),
    ])

    private let operations: [LoadOperation]
    /// Sums of the weights up to each operation, as shares of all.
    private let shares: [Double]

    /// Mix of operations by weights; without a positive weight it has sign-ins only.
    package init(_ weights: [(operation: LoadOperation, weight: Double)]) {
        let positive = weights.filter { $0.weight > 0 }
        let used = positive.isEmpty ? [(operation: .signIn, weight: 1)] : positive
        let sums = used.reduce(into: [Double]()) { $0.append(($0.last ?? 0) + $1.weight) }
        operations = used.map(\.operation)
        shares = sums.map { $0 / (sums.last ?? 1) }
    }

    /// Random operation, with the probability of its weight.
    package func operation(_ random: inout SeededGenerator) -> LoadOperation {
        let share = random.unit()
        return zip(operations, shares).first { share < $0.1 }?.0 ?? operations[operations.count - 1]
    }
}
