/// Why there is no push sink.
@nonexhaustive
package enum PushSinkError: Error, Hashable, Sendable {
    /// The file is no service account that a push sink has made: name another file, or remove it.
    case foreignServiceAccount
    /// The library makes no key.
    case noKey
    /// The sink is for programs on this machine only.
    case outsideLoopback
    /// Its certificate cannot be used.
    case unusableCertificate
}
