import OpenID
import ServerConfiguration
import ServerCore
import StrictYAML

/// Delegated Regulation (EU) 2018/389, articles 4 to 9 and 22 to 25, as far as a verifier can meet them.
extension ProfileRow {
    static let psd2 = codes + linking + elements + credentials + association

    private static let codes =
        [
            ProfileRow(
                "4(1)", "a sign-in rests on two elements", "password-login.enabled",
                { $0.deployment.passwordLogin == nil ? "false" : "true" },
                help: "set it to false: a password alone is one element", isMet: { $0.deployment.passwordLogin == nil }),
            ProfileRow(
                "4(1)", "each key needs a second element", "fido-uaf.policies",
                { silent($0).isEmpty ? "models with verification only" : silent($0) },
                help: "leave these models out: they sign without knowing who is there", isMet: { silent($0).isEmpty }),
            ProfileRow(
                "4(2)(a)", "the code tells nothing of the elements", .test("OfflineAttackTests/withoutDeviceKey")),
            ProfileRow("4(2)(b)", "no code leads to another", .test("AuthenticationAssertionTests/challenge")),
            ProfileRow("4(2)(c)", "no code can be forged", .test("AuthenticationAssertionTests/signature")),
            ProfileRow(
                "4(3)(a)", "a refusal does not tell which element was wrong",
                .test("ChannelLinkingTests/indistinguishable")),
            ProfileRow("4(3)(b)", "five failures in a row block the phone's key", .test("LockoutStateTests/table")),
            ProfileRow(
                "4(3)(b)", "five failures block the sign-ins of a user", "out-of-band.limits.wrong-digits",
                { "\($0.deployment.outOfBand.limits.wrongDigits)" }, help: "set it to 5 or less",
                isMet: { $0.deployment.outOfBand.limits.wrongDigits <= 5 }),
            ProfileRow(
                "4(3)(c)", "sessions are protected against listeners and changes",
                .test("ListenerRuleTests/plainElsewhere")),
        ] + lifetimes("4(3)(d)", overall: "5 minutes without activity", limit: .seconds(300))

    private static let linking = [
        ProfileRow(
            "5(1)(a)", "the payer sees amount and payee",
            .outside("the text that the bank sends must name them; the phone shows it whole")),
        ProfileRow("5(1)(b)", "the code is for this amount and payee only", .test("TransactionTests/otherContent")),
        ProfileRow(
            "5(1)(c)", "the code that is accepted is for what was agreed", .test("DispatchTests/dynamicLinking")),
        ProfileRow(
            "5(1)(d)", "another amount or payee makes the code void",
            .test("AuthenticationResponseTests/changedTransaction")),
        ProfileRow(
            "5(2)", "amount and payee stay secret on their way to the phone", "out-of-band.require-encryption",
            { "\($0.deployment.outOfBand.requiresEncryption)" }, help: "set it to true",
            isMet: { $0.deployment.outOfBand.requiresEncryption }),
        ProfileRow(
            "5(2)", "phone and server have agreed on this payment", "fido-uaf.server-binding.rule",
            { $0.deployment.uaf.verification.serverBinding.rawValue }, help: "set it to verified or required",
            isMet: { $0.deployment.uaf.verification.serverBinding != .ignored }),
    ]

    private static let elements = [
        ProfileRow("6", "PINs and passwords do not come to light", .test("SecretMemoryTests/operations")),
        ProfileRow("6", "common PINs are refused", .test("PINTests/commonPINs")),
        ProfileRow("7", "the phone's key cannot be copied with its file", .test("OfflineAttackTests/otherDeviceKey")),
        ProfileRow(
            "8", "the wrong person's finger or face hardly ever passes",
            .outside("the phone's operating system compares")),
        ProfileRow("8", "a newly enrolled finger or face ends the key", .test("RevocationTests/changedEnrollment")),
        ProfileRow("9(1)", "one element does not give another away", .test("PasswordAuthenticatorTests/separation")),
        ProfileRow("9(3)(a)", "secrets are kept apart from other software", .test("CredentialsOnChipTests/downgraded")),
        ProfileRow("9(3)(b)", "altered software is noticed", .test("TamperedProcessTests/crash")),
        ProfileRow(
            "9(3)(c)", "the harm of altered software is limited",
            .outside("remove the phone and revoke its model: fido-uaf.revoked-aaids")
        ),
    ]

    private static let credentials = [
        ProfileRow("22(2)(a)", "what is typed is masked", .outside("the application's fields mask it")),
        ProfileRow("22(2)(b)", "no credential is stored in the clear", .test("OfflineAttackTests/files")),
        ProfileRow("22(2)(c)", "the server's keys are wrapped", .test("KeyServiceTests/wrapping")),
        ProfileRow(
            "22(3)", "the handling of keys is documented", .outside("your documents name it; docs/security has ours")),
        ProfileRow("22(4)", "credentials and codes are processed in safe places", .outside("you run the machines")),
        ProfileRow("23", "each key is made on the phone, for one account", .test("KeyRegistrationTests/freshness")),
    ]

    private static let association = [
        ProfileRow(
            "24(1)", "only the user is bound to a phone", "authorization.registration",
            { $0.deployment.authorization.registration.rawValue }, help: "set it to required",
            isMet: { $0.deployment.authorization.registration == .required }),
        ProfileRow(
            "24(2)(b)", "a further phone needs two elements of a first one", "authorization.additional-credential",
            { $0.deployment.authorization.additionalCredential.rawValue }, help: "set it to uaf-login",
            isMet: { $0.deployment.authorization.additionalCredential == .uafLogin }),
        ProfileRow(
            "24(2)(b)", "no single code binds a phone", "recovery.enabled",
            { "\($0.deployment.webSites.recovery.isEnabled)" }, help: "set it to false",
            isMet: { !$0.deployment.webSites.recovery.isEnabled }),
        ProfileRow("25(2)(a)", "the invitation reaches the right person", .outside("you hand it over")),
        ProfileRow(
            "25(2)(b)", "the application is the one that you publish",
            .outside("stores prove it; fido-uaf.app-attestation has the server demand it")),
        ProfileRow(
            "25(2)(c)", "an invitation counts once, and the person sets the PIN", .test("RedeemTokenTests/once")),
    ]
}
