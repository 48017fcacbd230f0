package import Octets
package import ServerCore
package import WebAuthn

/// Settings of what web sites use: OpenID Provider, CIBA, receipts, webhooks, pages.
///
/// Everything is off until configured.
package struct OpenIDSettings: Sendable, Hashable {
    /// The section `openid`; nil switches provider, CIBA and pages off.
    package var openID: Provider?
    /// Clients of the configuration that no provider serves, because it is switched off.
    package var idleClients: [ClientID] = []
    package var receipts = ReceiptSettings()
    package var webhooks: [Webhook] = []
    package var outgoing = Outgoing()
    package var pages = Pages()
    package var recovery = Recovery()
    /// Whether the relying-party API answers (`relying-party-api.enabled`).
    package var hasRelyingPartyAPI = false
    /// Whether access keys reach only the users whom they have enrolled (`relying-party-api.own-users`).
    package var hasOwnUsers = false

    package init() {}

    /// OpenID Provider and CIBA.
    package struct Provider: Sendable, Hashable {
        /// Clients of the configuration, no two of one name (`clients`).
        package var clients: [RegisteredClient] = []
        /// Life of a sign-in page (`session-lifetime`): 60 to 1,800 s.
        package var sessionLifetime: Duration = .seconds(600)
        /// Sign-in pages that are kept, and requests pushed without a proof (`max-open-sessions`): 100 to 1,000,000.
        package var openSessionLimit = 20_000
        /// Open pages that are kept for a network (`sign-in-pages`).
        package var networkLimits = NetworkLimits()
        /// Life of a code (`code-lifetime`): 10 to 60 s.
        package var codeLifetime: Duration = .seconds(60)
        /// Life of a pushed request (`pushed-request-lifetime`): 10 to 600 s.
        package var pushedRequestLifetime: Duration = .seconds(90)
        /// Life of access and ID tokens (`token-lifetime`): 60 to 3,600 s.
        package var tokenLifetime: Duration = .seconds(600)
        /// Life of a grant with refresh tokens (`refresh-lifetime`): 1 hour to 90 days; each token half of it when unused.
        package var refreshLifetime: Duration = .seconds(30 * 86_400)
        /// Life of the session of a browser (`browser-session-lifetime`): 0 (none) to 24 hours.
        package var browserSessionLifetime: Duration = .seconds(8 * 3_600)
        /// Life of a QR code before the page shows a new one (`code-rotation`): 15 to 120 s.
        package var codeRotation: Duration = .seconds(45)
        /// Life of a CIBA request (`backchannel-lifetime`): 10 to 600 s.
        package var backchannelLifetime: Duration = .seconds(180)
        /// Whether the answer to a CIBA request has digits, which the client shows and the user types on the phone
        /// (`backchannel-digits`): by the way of linking of pushes.
        package var hasBackchannelDigits = false
        /// Whether the phone signs where it signs in, as a text (`sign-in-text`): then sign-ins have receipts with a text.
        package var hasSignInText = true
        /// Whether browsers that can bind their session to a key of their device (`device-bound-sessions`).
        package var bindsSessions = false
        /// Passkeys beside the phone (`passkeys`); nil where there are none.
        package var passkeys: Passkeys?

        package init() {}

        /// Time for which a removed method of sign-in keeps weaker ones out; nil while there are no passkeys, and every method
        /// lets in.
        package var removalWait: Duration? { passkeys?.removalWait }

        /// A grant without refresh tokens is kept as long as its session, whose end its client has to learn.
        func grantEnd(of scopes: Set<ScopeName>, from now: Timestamp, in session: BrowserSession?) -> Timestamp {
            if scopes.contains(.offlineAccess) { return now + refreshLifetime }
            let end = now + codeLifetime + tokenLifetime
            return max(end, session?.expiresAt ?? end)
        }
    }

    /// Passkeys at the sign-in page and on the page of the devices.
    package struct Passkeys: Sendable, Hashable {
        /// Domain that passkeys belong to (`relying-party-id`); nil: the host of the issuer.
        package var relyingPartyID: String?
        /// Origins of pages that may answer (`origins`); none: the origin of the issuer.
        package var origins: Set<String> = []
        /// Whether passkeys are taken that their holder may copy to other devices (`synced`).
        package var takesSyncedKeys = true
        package var attestation = AttestationPolicy()
        /// List of models that the FIDO Alliance signs (`metadata-file`, `metadata-roots-files`); nil without one.
        package var metadata: PasskeyMetadataFile?
        /// Time for which a removed method still keeps weaker ones from letting in (`removal-wait`): 1 hour to 7 days.
        package var removalWait: Duration = .seconds(86_400)

        package init() {}
    }

    /// Sign-in pages that are kept for a network, 10 to 1,000,000: an IPv4 address, behind which may be 5,000 people, and
    /// the networks of IPv6 that providers give to one line.
    package struct NetworkLimits: Sendable, Hashable {
        package var perIPv4 = 20_000
        package var per64 = 2_000
        package var per56 = 4_000
        package var per48 = 20_000

        package init() {}
    }

    /// Receiver of webhooks.
    package struct Webhook: Sendable, Hashable {
        /// Kind of event that a receiver may want.
        package enum Event: String, Sendable, Hashable, CaseIterable {
            case registered, removed, locked, throttled, reported, confirmed, recovery
        }

        /// Name, 1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `-` (`name`).
        package let name: AccessKeyName
        package let address: OutgoingAddress
        /// Events that it wants (`events`); never empty.
        package let events: Set<Event>
        /// Key of the signature, 24 to 64 octets (`secret-file`, `whsec_` and base64).
        package let secret: Sensitive<[UInt8]>

        package init(name: AccessKeyName, address: OutgoingAddress, events: Set<Event>, secret: Sensitive<[UInt8]>) {
            self.name = name
            self.address = address
            self.events = events
            self.secret = secret
        }
    }

    /// Outgoing requests.
    package struct Outgoing: Sendable, Hashable {
        package var rules = OutgoingRules()
        /// Waits between tries of a message (`retries`), after which it is a dead letter.
        package var retries: [Duration] = [5, 30, 300, 1_800, 7_200, 21_600, 86_400].map { Duration.seconds($0) }
        /// Time for which dead letters are kept (`dead-letter-retention`): 1 hour to 90 days.
        package var deadLetterRetention: Duration = .seconds(14 * 86_400)
        /// Requests at a time (`parallel`): 1 to 64; to one receiver one at a time, so that order is kept.
        package var parallelLimit = 8

        package init() {}
    }

    /// Ways back without a phone.
    package struct Recovery: Sendable, Hashable {
        /// Time for which the page of a recovery is open after its wait.
        package static let openTime: Duration = .seconds(2 * 86_400)

        /// Whether there are any (`enabled`).
        package var isEnabled = false
        /// Time between the beginning and the invitation of a new phone (`wait`): 1 hour to 7 days.
        package var wait: Duration = .seconds(86_400)

        package init() {}
    }

    /// Pages for people.
    package struct Pages: Sendable, Hashable {
        /// Name of the service on the pages, 1 to 64 characters (`service-name`).
        package var serviceName = "Signet"
        /// Language where the browser asks for none of ours (`language`).
        package var language = "en"
        /// Whether users may look after their devices (`my-devices`).
        package var hasMyDevices = true
        /// Whether the older phones of a user are told of a new one (`announce-new-devices`).
        package var announcesNewDevices = true
        package var theme = PageTheme()

        package init() {}
    }
}
