/// Failure of a change of the device information; the public error is made from it.
package enum DeviceChangeFailure: Error {
    /// Neither this device nor the server has such a record.
    case notFound((any Error)?)
    /// Another device of the user has the name.
    case nameInUse(any Error)
    case ceremony(CeremonyFailure)

    init(_ refusal: DeviceRefusal) {
        self =
            switch refusal {
            case .unknown(let error): .notFound(error)
            case .unsupported(let error): .notFound(error)
            case .nameInUse(let error): .nameInUse(error)
            case .notAccepted, .forbidden, .clockSkew, .failed: .ceremony(refusal.failure)
            }
    }
}

extension DeviceRefusal {
    /// Whether the same request may be accepted later: the server was not reached, or has a temporary problem.
    var isPassing: Bool {
        guard case .failed(.network(let cause)) = self else { return false }
        return (cause as? any CeremonyCause)?.isPassing ?? true
    }
}
