import UAF

/// NIST SP 800-63B-4, section 3.2: requirements on all authenticators.
extension ProfileRow {
    static let general = physical + biometric + phishing + secrets

    private static let physical = [
        ProfileRow("3.2.1", "people are told how to guard their phones", .outside("your instructions tell them")),
        ProfileRow("3.2.1", "a lost phone ends at once", .test("RemoveCredentialTests/device")),
        ProfileRow(
            "3.2.2", "failures in a row disable an authenticator, after 100 at most", .test("LockoutStateTests/table")),
        ProfileRow("3.2.2", "a disabled authenticator is bound anew", .test("RevocationTests/lockout")),
    ]

    private static let biometric = [
        ProfileRow(
            "3.2.3", "a way without biometrics exists", "fido-uaf.policies",
            { hasSecret($0) ? "not biometric only" : "biometric models only" },
            help: "accept a model that asks for a PIN, passcode or password",
            isMet: hasSecret),
        ProfileRow(
            "3.2.3", "biometrics stand beside a key, and are compared each time",
            .test("OtherKindsOnChipTests/fingerprint")),
        ProfileRow("3.2.3.1", "false matches are one in 10,000 or fewer, alike for all people", .outside(sensors)),
        ProfileRow("3.2.3.2", "faces are told from pictures, and voices not taken", .outside(sensors)),
        ProfileRow("3.2.3.3", "failed comparisons are limited", .outside(sensors)),
        ProfileRow("3.2.3.4", "samples are erased", .outside("no sample reaches application or server")),
        ProfileRow("3.2.4", "attestations have the strength of 112 bits", .test("TPMKeyProofTests/refuses")),
    ]

    private static let sensors = "the phone's operating system compares; its maker states and limits the errors"

    private static let phishing = [
        ProfileRow(
            "3.2.5", "what a person types is not called phishing-resistant",
            .outside("no class of assurance in tokens claims it: do not claim it of web sign-ins")),
        ProfileRow("3.2.5.1", "a bound channel is verified", .test("ChannelBindingTests/stated")),
        ProfileRow(
            "3.2.5.2", "the answer signs the name of the server that TLS has proved", .test("ServerBindingTests/wrong")),
        ProfileRow("3.2.6", "verifier and provider prove themselves to each other", .outside("they are one program")),
        ProfileRow("3.2.8", "a person's act begins each answer", .test("PresenceTests/noPresence")),
        ProfileRow("3.2.9", "restricted authenticators are announced as such", .outside("none is taken")),
    ]

    private static let secrets = [
        ProfileRow("3.2.10", "PINs and passwords stay on the phone", .test("SecrecyTests/logs")),
        ProfileRow(
            "3.2.10", "PINs and passwords have four characters or more",
            .outside("the application's PIN policy says so: six digits by default")),
        ProfileRow("3.2.10", "ten wrong PINs in a row disable the key, or fewer", .test("LockoutStateTests/table")),
        ProfileRow(
            "3.2.10", "without hardware a PIN derives the key that opens the stored one",
            .test("OfflineAttackTests/withDeviceKey")),
        ProfileRow("3.2.10", "unlocking the phone is another act", .test("PresenceTests/refusal")),
        ProfileRow(
            "3.2.11", "external authenticators are connected safely",
            .outside("all authenticators are part of the phone that answers")),
        ProfileRow(
            "3.2.12", "random values come from an approved generator",
            .outside("they come from the operating system's generator; compare it with your obligations")),
        ProfileRow(
            "3.2.13", "hardware gives no key away",
            .outside("fido-uaf.policies with key-attestation: { rule: required } demands it, as AAL3 does")),
    ]

    private static let hasSecret: @Sendable (ProfileSubject) -> Bool = { subject in
        subject.alternatives.contains { $0.contains(where: \.hasSecret) }
    }
}
