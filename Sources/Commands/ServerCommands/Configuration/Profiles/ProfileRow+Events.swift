import OpenID
import ServerConfiguration
import ServerCore

/// NIST SP 800-63B-4, section 4: from the binding of an authenticator to its end.
extension ProfileRow {
    static let events = binding + recovery + ends

    private static let binding = [
        ProfileRow(
            "4.1", "the provider decides who binds an authenticator", "authorization.registration",
            { $0.deployment.authorization.registration.rawValue }, help: "set it to required",
            isMet: { $0.deployment.authorization.registration == .required }),
        ProfileRow(
            "4.1", "all authenticators of an account are on record, with what they can do",
            .test("RegistrationResponseTests/success")),
        ProfileRow("4.1", "failures that count are on record", .test("UnsignedEventTests/device")),
        ProfileRow("4.1", "the record has date and time of each event", .test("AuditServiceTests/times")),
        ProfileRow(
            "4.1.2.1", "an account can have several authenticators", "authorization.max-credentials",
            { "\($0.deployment.authorization.maximumCredentialCount)" }, help: "set it to 2 or more",
            isMet: { $0.deployment.authorization.maximumCredentialCount >= 2 }),
        ProfileRow(
            "4.1.2.1", "a further authenticator needs a sign-in at the level of the account",
            "authorization.additional-credential",
            { $0.deployment.authorization.additionalCredential.rawValue }, help: "set it to uaf-login",
            isMet: { $0.deployment.authorization.additionalCredential == .uafLogin }),
        notice("4.1.2.1", "the person is told of a new authenticator by another way (4.6)", [.registered]),
        ProfileRow(
            "4.1.2.2", "a code for another device has 112 bits or more and counts once", .test("RedeemTokenTests/once")),
        ProfileRow("4.1.2.2", "such a code lives 10 minutes at most", .test("OutOfBandRuleTests/values")),
        ProfileRow(
            "4.1.2.2", "such a code is carried by hand or as a picture",
            .outside("you hand invitations over: never by e-mail")),
        ProfileRow(
            "4.1.2.2", "people know what to do when the wrong device was bound",
            .outside("your instructions tell them; /my-devices and the help desk remove it")),
        ProfileRow(
            "4.1.3", "the types that are accepted are documented",
            .outside("your practice statement names them; config check lists the policies")),
    ]

    private static let recovery = [
        ProfileRow(
            "4.2.1", "a way to recover an account exists",
            .outside("the help desk proves the person's identity again, and invites the new phone")),
        ProfileRow(
            "4.2.1.2", "codes that are sent to addresses, and contacts, keep to their times",
            .outside("no code is sent to an address")),
        ProfileRow(
            "4.2.2.2", "no single code recovers an account", "recovery.enabled",
            { "\($0.deployment.webSites.recovery.isEnabled)" },
            help: "set it to false: of the two proofs that are wanted its code is one, and its wait is none",
            isMet: { !$0.deployment.webSites.recovery.isEnabled }),
        notice("4.2.3", "the person is told of a recovery (4.6)", [.registered, .recovery]),
    ]

    private static let ends = [
        ProfileRow("4.3", "what is compromised is suspended or ended at once", .test("LockTests/beforeAnswer")),
        ProfileRow(
            "4.4", "what has expired signs in no more", .outside("no key expires; fido-uaf.revoked-aaids ends a model")),
        ProfileRow("4.5", "what is removed signs in no more", .test("DeregistrationServiceTests/immediate")),
        notice("4.5", "the person is told of a removal (SHOULD, 4.6)", [.removed]),
        ProfileRow(
            "4.6", "an account has two addresses for notices",
            .outside("the receiver of the webhooks keeps addresses, and writes to all of them")),
        ProfileRow(
            "4.6", "a notice says what to do when the person did not do it",
            .outside("the receiver of the webhooks words it")),
    ]

    /// Notices reach people by the system that a webhook tells of what happened.
    private static func notice(
        _ section: String, _ demand: String, _ events: Set<OpenIDSettings.Webhook.Event>
    ) -> ProfileRow {
        let names = events.map(\.rawValue).sorted().joined(separator: " and ")
        return ProfileRow(
            section, demand, "webhooks",
            { subject in
                let told = Set(subject.deployment.webSites.webhooks.flatMap(\.events)).map(\.rawValue).sorted()
                return told.isEmpty ? "absent" : "told of " + told.joined(separator: ", ")
            }, help: "add a receiver that is told of \(names), and writes to the person",
            isMet: { $0.deployment.webSites.webhooks.flatMap(\.events).contains(allOf: events) })
    }
}

extension [OpenIDSettings.Webhook.Event] {
    fileprivate func contains(allOf events: Set<OpenIDSettings.Webhook.Event>) -> Bool { events.isSubset(of: self) }
}
