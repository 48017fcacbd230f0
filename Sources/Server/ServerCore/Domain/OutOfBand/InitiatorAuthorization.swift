/// What a request to begin or to follow an operation brought along.
package enum InitiatorAuthorization: Sendable, Hashable {
    /// Nothing.
    case absent
    /// Something that does not hold.
    case invalid
    /// The access key of a system.
    case accessKey(AccessKeyName)
    /// A token or cookie of a user.
    case user(RequestAuthorization.Grant)
    /// Nothing over the network: a command on the server's machine, run by whoever may read the master key.
    case administrator

    /// What the login of a user rests on; nil for the others.
    var evidence: RequestAuthorization.Evidence? {
        if case .user(let grant) = self { grant.evidence } else { nil }
    }
}
