/// Connection to Firebase Cloud Messaging, for push messages.
package struct FirebaseSettings: Sendable, Hashable {
    /// File with the service account's private key, as the console of the service gives it out (JSON).
    package var serviceAccountFile: String
    /// Whether the service only judges the messages and delivers none.
    package var isDryRun = false
    package var endpoint = "https://fcm.googleapis.com"
    /// URL of the token endpoint; nil: the one in the service account's file.
    package var tokenEndpoint: String?
    /// Whether a destination that the service does not know any more is removed from its dispatch target.
    package var removesUnregisteredClients = true
    package var proxy: PushProxy?
    /// File with more issuers of certificates (PEM) than the system knows; nil: none.
    package var trustedCertificatesFile: String?

    package init(serviceAccountFile: String) {
        self.serviceAccountFile = serviceAccountFile
    }
}
