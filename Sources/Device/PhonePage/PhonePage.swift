import Octets

/// Phone page: serves one phone to the browser of the person who started it.
package enum PhonePage {
    /// Serves a phone on a port of 127.0.0.1 until the task is canceled; port 0 takes a free one.
    ///
    /// `ready` is called once, when the page can be opened, with the address that lets in. Throws
    /// ``PhonePageFailure``.
    package static func serve(
        phone: any PhonePageService, port: Int, ready: @Sendable (PhonePageAddress) async throws -> Void
    ) async throws {
        let secrets = PhonePageSecrets()
        try await PhonePageServer.serve(port: port) { port in
            PhonePageRoutes(guards: PhonePageGuard(port: port, secrets: secrets), phone: phone)
        } ready: { port in
            try await ready(PhonePageAddress(port: port, entry: secrets.entry))
        }
    }
}

/// Address of a phone page; its entry secret is for the terminal of the person only.
package struct PhonePageAddress: Sendable {
    /// Port on 127.0.0.1.
    package let port: Int
    private let entry: Sensitive<String>

    init(port: Int, entry: Sensitive<String>) {
        self.port = port
        self.entry = entry
    }

    /// Origin of the page, without a secret.
    package var origin: String { "http://127.0.0.1:\(port)" }

    /// Address that works once; the browser that opens it first has the phone.
    package func revealEntry() -> String { "\(origin)\(PhonePageURL.entryPrefix)\(entry.reveal())" }
}

/// Reason for which a phone page cannot be served.
package enum PhonePageFailure: Error, Sendable, Hashable {
    case portTaken(Int)
    /// The operating system refused the socket; the text is its reason.
    case unavailable(String)
}
