/// Whether the application may use an AppID.
package enum FacetVerdict: Sendable {
    /// It may, under this effective AppID.
    case trusted(TrustedFacet)
    /// It may not.
    case untrusted(any Error)
    /// The list that would say so could not be fetched.
    case unreachable(any Error)
}

extension FacetVerdict {
    /// What an operation ends with when the application may not use the AppID.
    var failure: CeremonyFailure {
        switch self {
        case .trusted: .fido(.unknown)
        case .untrusted(let cause): .fido(.untrustedFacetId, cause: cause)
        case .unreachable(let error): .unreachable(error)
        }
    }
}
