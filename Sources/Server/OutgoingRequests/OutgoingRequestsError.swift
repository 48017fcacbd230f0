/// Error of the setup of outgoing requests.
package enum OutgoingRequestsError: Error, Sendable, Hashable {
    /// A file of `outgoing.authority-files` cannot be read, or holds no certificate.
    case unusableAuthority(file: String)
}
