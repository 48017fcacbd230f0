/// A sealed state that opened does not read: it was sealed by another version of the server.
enum CeremonyStateError: Error, Hashable {
    case malformed
}
