import CTSS2

/// Owner authorisation of the chip.
struct Ownership {
    /// The owner's authorisation; nil where it is empty, as on most machines.
    let value: AuthorizationValue?
    /// The session that shows it.
    let session: ESYS_TR
}
