package import Octets
package import OpenID
package import ServerCore

/// Language and browser of a reader.
package struct PageReader: Sendable, Hashable {
    /// `Accept-Language`, at most 256 octets are read.
    package let acceptLanguage: String?
    /// `ui_locales` or the choice in the query; wins.
    package let language: PageLanguage?
    /// Cookies of the browser, for the token of forms.
    package let cookies: BrowserCookies
    /// Browser and network address, shown so that people can tell whether the request is theirs.
    package let client: ClientContext

    package init(
        acceptLanguage: String?, language: PageLanguage?, cookies: BrowserCookies,
        client: ClientContext = ClientContext()
    ) {
        self.acceptLanguage = acceptLanguage
        self.language = language
        self.cookies = cookies
        self.client = client
    }
}

/// User who is signed in at the provider.
package struct PageVisitor: Sendable, Hashable {
    package let user: User
    package let session: BrowserSession

    package init(user: User, session: BrowserSession) {
        self.user = user
        self.session = session
    }
}

/// Language of the pages (BCP 47).
package enum PageLanguage: String, Sendable, Hashable, CaseIterable {
    case german = "de"
    case english = "en"
    case french = "fr"
    case italian = "it"
}

/// Page as it is sent.
package struct PageAnswer: Sendable {
    /// Policy of every page: own style, script and pictures, forms to itself, no frame.
    package static let policy = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'
        """

    package let status: Int
    /// UTF-8.
    package let html: [UInt8]
    package let language: PageLanguage
    /// Origin to which a form of the page may lead beside its own, by a redirect (CSP 3, 6.4.2.1); nil for none.
    ///
    /// Browsers hold redirects after a form to `form-action`, so that the answer would not reach the client otherwise.
    package let formTarget: String?
    /// Whether a picture stands in the page itself (`data:`).
    var embedsPicture = false
    /// Use that scripts of the page may make of passkeys; nil for none.
    package var passkeys: PasskeyCeremony?

    /// Ceremony of passkeys, by its policy-controlled feature (Web Authentication Level 3, 5.9).
    package enum PasskeyCeremony: String, Sendable, CaseIterable {
        case get, create
    }

    /// Creates a page; a form target with characters that no origin has is left out.
    package init(status: Int = 200, html: [UInt8], language: PageLanguage, formTarget: String? = nil) {
        self.status = status
        self.html = html
        self.language = language
        self.formTarget = formTarget.flatMap { $0.utf8.allSatisfy(Self.isOfOrigin) ? $0 : nil }
    }

    package var contentSecurityPolicy: String {
        let policy =
            embedsPicture ? Self.policy.replacing("img-src 'self'", with: "img-src 'self' data:") : Self.policy
        guard let formTarget else { return policy }
        return policy.replacing("form-action 'self'", with: "form-action 'self' \(formTarget)")
    }

    /// `Permissions-Policy`: no device of the browser, and passkeys only as the page needs them.
    package var permissionsPolicy: String {
        let features = ["camera=()", "microphone=()", "geolocation=()", "payment=()"]
        return
            (features
            + PasskeyCeremony.allCases.map { ceremony in
                "publickey-credentials-\(ceremony.rawValue)=\(ceremony == passkeys ? "(self)" : "()")"
            }).joined(separator: ", ")
    }

    private static func isOfOrigin(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: ":/.-[]".utf8.contains(octet)
        }
    }
}

/// Change that users make to their own devices.
package enum PageDeviceChange: Sendable, Hashable {
    /// Name of 1 to 64 characters.
    case rename(TargetExternalID, String)
    case remove(TargetExternalID)
    /// New recovery codes, which the answer shows once.
    case makeCodes
    case endRecovery
    case passkey(PagePasskeyChange)
}

/// Change that users make to their own passkeys; names have 1 to 64 characters.
package enum PagePasskeyChange: Sendable, Hashable {
    /// Registers the passkey of an answer; without an answer the user only has to sign in afresh.
    case add(Sensitive<[UInt8]>?, name: String)
    case rename(RegistrationID, String)
    case remove(RegistrationID)
}

/// Step of a person at the page of a recovery.
package enum PageRecoveryStep: Sendable, Hashable {
    /// User name and code, as they were typed.
    case begin(name: String, code: String)
    case remove(TargetExternalID)
    case invite
}

/// Answer of the page of a recovery.
package enum RecoveryAnswer: Sendable {
    case page(PageAnswer)
    /// The page is there for the browser that has this cookie.
    case begun(cookie: Sensitive<String>, expiresAt: Timestamp)
}

/// Answer to a person who asks what is kept of them.
package enum PersonAnswer: Sendable {
    case page(PageAnswer)
    /// JSON, UTF-8.
    case file([UInt8])
    /// The last confirmation is too old.
    case confirmFirst
}

/// Reason of a page that leads nowhere.
package enum PageRefusal: String, Sendable, Hashable, CaseIterable {
    case unknownClient, redirectNotRegistered, malformedRequest, form, otherBrowser, expired, tooMany, unavailable
}
