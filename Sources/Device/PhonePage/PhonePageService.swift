package import Octets

/// Phone in the browser: one phone of the SDK behind a page on loopback, as its HTTP side sees it.
///
/// The page is served at a new origin of loopback (``PhonePageHost``) to a browser that has the secret of the printed address.
/// Guards: `Host` exactly as printed, against DNS rebinding; `Origin` absent or its own; `Sec-Fetch-Site` absent,
/// `same-origin` or `none`; the secret (32 random octets) in a cookie `SameSite=Strict; HttpOnly`, set once in exchange
/// for the one in the address; every post and every reading of the state with the token of the page, because cookies of
/// a host reach all its ports; no CORS; the policy `default-src 'none'` with own style and script, by their hashes. A
/// violation is answered 403 and changes nothing.
package protocol PhonePageService: Sendable {
    /// State to show, at once or when it is another than `known`, after at most 25 s; JSON of at most 256 KiB.
    func state(unlike known: UInt64?) async -> PhonePageState

    /// Carries out what the person has done.
    ///
    /// `question` is the number of the question that the person saw, nil for what answers none; when another one is
    /// asked by then, perhaps because a second tab has answered, the action is refused with
    /// ``PhonePageRefusal/notNow``.
    func perform(_ action: PhonePageAction, answering question: UInt64?) async throws(PhonePageRefusal)

    /// Gives the PIN or password that was typed, 1 to 1,024 octets of UTF-8, to the question with this number.
    func provide(_ secret: consuming SecretOctets, answering question: UInt64) async throws(PhonePageRefusal)
}

/// State of the phone for the page.
package struct PhonePageState: Sendable {
    /// Number that grows with each change.
    package let revision: UInt64
    /// JSON; secrets are never in it.
    package let body: [UInt8]

    package init(revision: UInt64, body: [UInt8]) {
        self.revision = revision
        self.body = body
    }
}

/// Something that the person does on the page.
package enum PhonePageAction: Sendable {
    /// A link or envelope, pasted or handed over, at most 4,096 octets.
    case open(String)
    /// A picture with a QR code, PNG of at most 1 MiB.
    case scan([UInt8])
    case accept
    /// Declines; `isReported`: "this was not me".
    case decline(isReported: Bool)
    /// Number of the choice in the list shown, from 0: authenticator, account, or a pending operation while nothing is
    /// asked.
    case choose(Int)
    /// Digits that the other screen shows, 2 to 8.
    case digits(String)
    case fetchPending
    /// Renames the device, changes PIN or password, removes an account; from the settings.
    case settings(PhonePageSetting)
}

/// Change in the settings of the phone.
package enum PhonePageSetting: Sendable, Hashable {
    case rename(String)
    case changePIN
    case changePassword
    case deregister(account: Int)
    /// Deletes everything on the phone, as a lost one.
    case lose
}

/// Reason for which an action is refused; the raw value is the word in the answer.
package enum PhonePageRefusal: String, Error, Sendable, Hashable, CaseIterable {
    case notNow, malformed, tooLarge, noCode
}
