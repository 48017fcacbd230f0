import BackendAPI
import OpenID
import ServerConfiguration
import ServerCore
import StrictYAML
import UAF

/// NIST SP 800-63B-4, sections 2.2.1, 3.1.3 and 3.1.7: which authenticators are taken, and how they are verified.
extension ProfileRow {
    /// The requirements, in the order of the standard; requirements of one level stand behind 2.2.1.
    static func nist(_ level: [ProfileRow]) -> [ProfileRow] {
        authenticators + level + outOfBand + cryptographic + general + events + sessions
    }

    private static let authenticators = [
        ProfileRow(
            "2.2.1", "two factors at each sign-in", "password-login.enabled",
            { $0.deployment.passwordLogin == nil ? "false" : "true" },
            help: "set it to false: a password alone is one factor", isMet: { $0.deployment.passwordLogin == nil }),
        ProfileRow(
            "2.2.2", "what is sent over the network is encrypted, and the server proved",
            .test("ListenerRuleTests/plainElsewhere")),
        ProfileRow(
            "2.2.2", "a recorded answer is worth nothing (3.2.7)", .test("AuthenticationResponseTests/parallelReplay")),
    ]

    private static let outOfBand =
        [
            ProfileRow(
                "3.1.3.1", "the phone fetches the request on its own connection", .test("RedeemTests/wholeFlow")),
            ProfileRow("3.1.3.1", "the phone's connection is encrypted", .test("DispatchTests/encryption")),
            ProfileRow(
                "3.1.3.1", "nothing goes by e-mail",
                .outside("no dispatcher sends mail; do not mail the links that you are given")),
            ProfileRow("3.1.3.1", "the phone proves which one it is", .test("RedeemTests/otherUser")),
            ProfileRow(
                "3.1.3.1", "the phone's key was made known in an authenticated session",
                .test("TargetAttachmentTests/forgeries")),
        ] + transfer + verifier

    /// An approval carries a secret from the screen to the phone, by hand or by a code: compared or absent digits do not.
    private static let transfer = [
        ProfileRow(
            "3.1.3.1", "the person carries a secret from the screen to the phone",
            "out-of-band.channel-linking.weakest-push",
            { $0.deployment.outOfBand.linking.weakestPush.rawValue }, help: "set it to typed, and push with it",
            isMet: { !$0.deployment.outOfBand.linking.allows(.compare, forPush: true) }),
        ProfileRow(
            "3.1.3.1", "clients of CIBA have a secret to show", "openid.backchannel-digits",
            { $0.deployment.webSites.openID.map { "\($0.hasBackchannelDigits)" } ?? "of no use" },
            help: "set it to true, and let clients show the digits of the answer",
            isMet: { $0.deployment.webSites.openID?.hasBackchannelDigits ?? true }),
        ProfileRow(
            "3.1.3.2", "the screen shows a random secret, and the phone brings it back",
            .test("ChannelLinkingTests/digitsTravel")),
    ]

    private static let verifier = [
        ProfileRow(
            "3.1.3.2", "the server keeps no key with which a phone could be imitated",
            .test("TargetCreationTests/possession")),
        ProfileRow(
            "3.1.3.2", "a sign-in is over within 10 minutes", "fido-uaf.timeouts.response",
            {
                "\($0.deployment.uaf.responseLifetime.configurationText), \($0.longestAuthentication.configurationText) in all"
            },
            help:
                "lower it, out-of-band.authentication-token-lifetime, openid.backchannel-lifetime or openid.code-rotation",
            isMet: { $0.longestAuthentication <= .seconds(600) }),
        ProfileRow("3.1.3.2", "a secret counts once", .test("ChannelLinkingTests/parallelGuesses")),
        ProfileRow(
            "3.1.3.2", "the secret has six digits or more", "out-of-band.channel-linking.digits",
            { "\($0.deployment.outOfBand.linking.digitCount)" }, help: "set it to 6 or more",
            isMet: { $0.deployment.outOfBand.linking.digitCount >= 6 }),
        ProfileRow(
            "3.1.3.2", "wrong secrets are few", "out-of-band.limits.wrong-digits",
            { "\($0.deployment.outOfBand.limits.wrongDigits)" }, help: "set it to 5 or less",
            isMet: { $0.deployment.outOfBand.limits.wrongDigits <= 5 }),
        ProfileRow("3.1.3.2", "a new secret begins no new count", .test("ChannelLinkingTests/countedFailures")),
        ProfileRow(
            "3.1.3.2", "100 wrong secrets in a row disable the authenticator (3.2.2)",
            .test("EndCeremonyTests/digitsInRow")),
        ProfileRow(
            "3.1.3.2", "pushes since the last success are few (SHOULD)", "out-of-band.limits.pushes",
            { "\($0.deployment.outOfBand.limits.pushes)" }, help: "set it to 10 or less",
            isMet: { $0.deployment.outOfBand.limits.pushes <= 10 }),
        ProfileRow(
            "3.1.3.2", "no stranger has people asked (SHOULD)", "out-of-band.dispatch-authorization",
            { $0.deployment.outOfBand.dispatchProtection.rawValue }, help: "set it to required",
            isMet: { $0.deployment.outOfBand.dispatchProtection == .required }),
        ProfileRow("3.1.3.3", "telephone networks are restricted", .outside("no secret goes by text message or call")),
        ProfileRow("3.1.3.4", "what activates the phone's key is wiped", .test("SecretMemoryTests/operations")),
    ]

    private static let cryptographic = [
        ProfileRow(
            "3.1.6.2", "public keys cannot be exchanged",
            .outside("they lie in your database: guard its accounts, disks and backups")),
        ProfileRow("3.1.6.2", "keys have the strength of 112 bits", .test("VerificationKeyTests/modulus")),
        ProfileRow(
            "3.1.6.2", "each challenge is new, and has 64 bits or more", .test("RegistrationRequestTests/content")),
        ProfileRow(
            "3.1.6.2", "signatures use approved algorithms", "fido-uaf.policies",
            { unapproved($0).isEmpty ? "ES256 and RSA only" : unapproved($0) },
            help: "leave these models out, or set fido-uaf.additional-algorithms without secp256k1 and SM2",
            isMet: { unapproved($0).isEmpty }),
        ProfileRow(
            "3.1.7.1", "no key signs before the person is verified (3.1.3.4)", "fido-uaf.policies",
            { silent($0).isEmpty ? "models with verification only" : silent($0) },
            help: "leave these models out: they sign without knowing who is there", isMet: { silent($0).isEmpty }),
        ProfileRow("3.1.7.1", "a stored key opens to its secret only", .test("OfflineAttackTests/withoutDeviceKey")),
        ProfileRow("3.1.7.1", "each answer needs the person again", .test("PresenceTests/refusal")),
        ProfileRow(
            "3.1.7.2", "an authenticator without a second factor is not taken for one with it",
            .test("RegistrationKeyTests/accepted")),
        ProfileRow("3.1.7.3", "wallets answer by federation", .outside("no wallet is taken")),
    ]

    private static func unapproved(_ subject: ProfileSubject) -> String {
        let added = subject.deployment.uaf.additionalAlgorithms
        return names(
            subject.alternatives.joined().filter { statement in
                var whole = statement
                whole.additionalSigningProfiles += added[statement.aaid] ?? []
                return !whole.hasApprovedAlgorithms
            })
    }

    static func silent(_ subject: ProfileSubject) -> String {
        names(subject.alternatives.filter { !$0.contains(where: \.verifiesPerson) }.joined())
    }

    private static func names(_ statements: some Sequence<MetadataStatement>) -> String {
        Set(statements.map(\.aaid.text)).sorted().joined(separator: ", ")
    }
}
