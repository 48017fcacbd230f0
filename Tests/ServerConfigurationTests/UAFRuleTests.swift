import ServerConfiguration
import ServerCore
import Testing
import UAF

@Suite("Configuration file: FIDO UAF, tokens and logins")
struct UAFRuleTests {
    @Test("Without settings the demonstration's application may answer with every authenticator of the product")
    func defaults() throws {
        let deployment = try read("")
        let settings = try deployment.serverSettings(metadata: .product, origin: "https://127.0.0.1:8443")
        #expect(settings.uaf.appID.text == "https://127.0.0.1:8443/nevisfido/uaf/1.1/facets")
        #expect(settings.uaf.facets.map(\.text) == UAFDeployment.demonstrationFacets)
        let policy = try #require(settings.uaf.policies.policies[.standard])
        #expect(policy.accepted.count == MetadataCatalog.product.statements.count)
        #expect(settings.uaf.responseLifetime == .seconds(480))
        #expect(settings.passwordLogin == nil)
        #expect(!settings.conformance)
    }

    @Test(
        "Wildcard facets pass in development and are refused in production",
        arguments: ["android:apk-key-hash:*", "ios:bundle-id:*"])
    func wildcards(facet: String) throws {
        let text = "fido-uaf: {facets: [\"\(facet)\"]}"
        #expect(try read(text).uaf.facets.map(\.text) == [facet])
        #expect(problems("profile: production\n" + text).count == 1)
    }

    @Test("Production needs facets")
    func productionFacets() {
        #expect(problems("profile: production") == ["configuration: fido-uaf.facets: must be given"])
    }

    @Test("A facet of no known form is refused", arguments: ["com.example", "http://a.example", "ios:bundle-id:"])
    func facetForm(facet: String) {
        #expect(problems("fido-uaf: {facets: [\"\(facet)\"]}").count == 1)
    }

    @Test("S-L11: How strictly answers are judged can be set")
    func verification() throws {
        let standard = try read("").serverSettings(metadata: .product, origin: "https://a").uaf
        #expect(standard.verification == VerificationSettings() && standard.additionalAlgorithms.isEmpty)
        let deployment = try read(
            """
            fido-uaf:
              refuse-outdated-authenticators: true
              max-registration-counter: 5
              server-binding: {rule: required, additional-origins: ["https://old.example.com"]}
              additional-algorithms: [{aaid: "F1D0#0001", algorithm: 3, key-format: 258}]
            """)
        let settings = try deployment.serverSettings(metadata: .product, origin: "https://a").uaf
        #expect(settings.verification.refusesOutdatedAuthenticators)
        #expect(settings.verification.registrationCounterLimit == 5)
        #expect(settings.verification.serverBinding == .required)
        #expect(settings.verification.additionalOrigins == ["https://old.example.com"])
        let model = try #require(AAID("F1D0#0001"))
        #expect(settings.additionalAlgorithms[model]?.map(\.algorithm.rawValue) == [3])
    }

    @Test(
        "S-L11: A channel binding without the certificates it is judged by, and an unknown algorithm, are refused",
        arguments: [
            "channel-binding: {rule: off}", "channel-binding: {rule: verified, certificate-files: [absent.pem]}",
            "additional-algorithms: [{aaid: \"F1D0#0001\", algorithm: 3}]", "max-registration-counter: -1",
            "server-binding: {rule: sometimes}", "server-binding: {additional-origins: [\"http://a.example\"]}",
        ])
    func wrongVerification(text: String) {
        #expect(problems("fido-uaf: {\(text)}").count == 1)
    }

    @Test("A-4: The channel binding is verified by default; required it needs a certificate that the server knows")
    func channelBinding() throws {
        #expect(try read("").uaf.verification.channelBinding == .verified)
        #expect(try read("").http.showsOwnCertificate)
        #expect(try read("fido-uaf: {channel-binding: {rule: required}}").uaf.verification.channelBinding == .required)
        let proxied = "server: {protocol: http, trusted-proxies: [127.0.0.1]}\n"
        #expect(try !read(proxied).http.showsOwnCertificate)
        #expect(problems(proxied + "fido-uaf: {channel-binding: {rule: required}}").count == 1)
        let files: [String: (text: String, permissions: UInt16)] = ["/etc/signet/proxy.pem": ("", 0o644)]
        let binding = "fido-uaf: {channel-binding: {rule: required, certificate-files: [proxy.pem]}}"
        #expect(try read(proxied + binding, files: files).uaf.frontEndCertificateFiles == ["/etc/signet/proxy.pem"])
    }

    @Test("A-4: Behind a proxy that ends TLS phones do not see the certificate of the server; PROXY passes it on")
    func proxies() throws {
        let proxies = "trusted-proxies: [127.0.0.1]"
        #expect(try !read("server: {\(proxies)}").http.showsOwnCertificate)
        #expect(try read("server: {\(proxies), proxy-protocol: v2}").http.showsOwnCertificate)
    }

    @Test("A policy says whether keys have to lie in chips, and whose chips are known")
    func keyAttestation() throws {
        let file = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
        let files: [String: (text: String, permissions: UInt16)] = ["/etc/signet/tpm.pem": (file, 0o644)]
        let roots = "key-attestation: {roots-files: [tpm.pem]}"
        for rule in PolicyCatalog.KeyAttestation.allCases {
            let policy = "default: {accepted: [\"FFFF#2001\"], key-attestation: {rule: \(rule.rawValue)}}"
            let text = "fido-uaf: {policies: {\(policy)}, \(roots)}"
            let settings = try read(text, files: files).serverSettings(metadata: .product, origin: "https://a").uaf
            #expect(settings.policies.keyAttestation == [.standard: rule])
            #expect(settings.attestationRoots == [Array(file.utf8)])
            #expect(problems("fido-uaf: {policies: {\(policy)}}").count == (rule == .ignored ? 0 : 1))
        }
        let silent = try read("fido-uaf: {policies: {default: {accepted: [\"FFFF#2001\"]}}}").uaf
        #expect(silent.policies[.standard]?.keyAttestation == .ignored && silent.attestationRoots.isEmpty)
    }

    @Test(
        "A rule of another name, and roots that are not there or no certificates, are refused",
        arguments: [
            "policies: {default: {accepted: [\"FFFF#2001\"], key-attestation: {rule: sometimes}}}",
            "key-attestation: {roots-files: [absent.pem]}",
        ])
    func wrongKeyAttestation(text: String) {
        #expect(problems("fido-uaf: {\(text)}").count == 1)
    }

    private static let android = "ch.nevis.auth.fido.uaf.android-app-attestation-policy"
    private static let policyFiles: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/policies/strong.json": (
            #"{"accepted":[[{"keyProtection":6,"authenticationAlgorithms":[2],"assertionSchemes":["UAFV1TLV"]}]]}"#,
            0o644
        ),
        "/etc/signet/wrong.json": ("{\n\"accepted\": [[{\"aaid\": [\"F1D0\"]}]]}", 0o644),
        "/etc/signet/signet.json": (
            #"{"accepted":[[{"aaid":["F1D0#0001"],"exts":[{"id":"\#(android)","data":"{\"allowed_package_names\":[\"a.b\"]}"}]}]]}"#,
            0o644
        ), "/etc/signet/google.pem": ("google roots", 0o644),
    ]

    @Test("A policy is a file in UAF JSON beside the rule for keys in chips; a fault in it is named by its place")
    func policyFile() throws {
        let text = "fido-uaf: {policies: {default: {file: policies/strong.json}}}"
        let settings = try read(text, files: Self.policyFiles).serverSettings(metadata: .product, origin: "https://a")
        #expect(settings.uaf.policies.policies[.standard]?.accepted.first?.first?.keyProtection?.rawValue == 6)
        func found(_ policy: String) -> [String] {
            problems("fido-uaf: {policies: {default: {\(policy)}}}", files: Self.policyFiles)
        }
        let fault = "/etc/signet/wrong.json:2:25: accepted.0.0.aaid.0: is not of the required form"
        #expect(found("file: wrong.json") == ["signet.yml:1:33: fido-uaf.policies.default.file: \(fault)"])
        #expect(found("file: absent.json").count == 1 && found("file: [a]").count == 1)
        #expect(found("file: policies/strong.json, accepted: [\"F1D0#0001\"]").count == 1)
        #expect(found("file: policies/strong.json, key-attestation: {rule: ignored}").isEmpty)
    }

    @Test("A policy that demands statements needs the applications that make them")
    func demandingPolicy() throws {
        func found(_ attestation: String) -> [String] {
            problems(
                "fido-uaf: {policies: {default: {file: signet.json}}, app-attestation: {\(attestation)}}",
                files: Self.policyFiles)
        }
        func android(_ package: String) -> String {
            let signers = "signers: [\"\(String(repeating: "3b", count: 32))\"]"
            return "android: {packages: [\(package)], \(signers), roots-file: google.pem}"
        }
        #expect(found(android("a.b")).isEmpty)
        let words = "signet.yml:1:12: fido-uaf.policies: default demands statements: app-attestation"
        #expect(found("").map { $0.drop { $0 != ":" } } == [words.drop { $0 != ":" } + ".android is absent"])
        #expect(found(android("c.d")).map { $0.hasSuffix("app-attestation does not name a.b") } == [true])
    }

    @Test("Policies are taken by name")
    func policies() throws {
        let deployment = try read(
            """
            fido-uaf:
              default-policy: strong
              policies:
                strong: {accepted: ["F1D0#0001 + F1D0#0002", "F1D0#0003"], disallowed: ["F1D0#0005"]}
                weak: {accepted: ["F1D0#0004"]}
            """)
        let settings = try deployment.serverSettings(metadata: .product, origin: "https://a")
        let strong = try #require(PolicyName("strong").flatMap { settings.uaf.policies.policies[$0] })
        #expect(strong.accepted.map(\.count) == [2, 1])
        #expect(strong.disallowed.count == 1)
        #expect(settings.uaf.policies.defaultName.text == "strong")
    }

    @Test(
        "A policy that cannot be is refused",
        arguments: [
            "policies: {a: {accepted: []}}", "policies: {default: {accepted: [\"F1D0\"]}}", "policies: {default: {}}",
            "policies: {other: {accepted: [\"F1D0#0001\"]}}", "policies: {\"a b\": {accepted: [\"F1D0#0001\"]}}",
            "revoked-aaids: [\"F1D0#1\"]",
        ])
    func refusedPolicies(text: String) {
        #expect(!problems("fido-uaf: {\(text)}").isEmpty)
    }

    @Test("The response lifetime is between 10 s and 600 s")
    func lifetime() throws {
        #expect(try read("fido-uaf: {timeouts: {response: 600s}}").uaf.responseLifetime == .seconds(600))
        #expect(problems("fido-uaf: {timeouts: {response: 601s}}").count == 1)
        #expect(problems("fido-uaf: {timeouts: {response: 9s}}").count == 1)
    }

    @Test("Metadata is a file or the JSON files of a folder")
    func metadata() throws {
        let files: [String: (text: String, permissions: UInt16)] = [
            "/etc/signet/m/b.json": ("", 0o644), "/etc/signet/m/a.json": ("", 0o644),
            "/etc/signet/m/x.txt": ("", 0o644),
        ]
        let folder = try read("fido-uaf: {metadata: {path: m}}", files: files)
        #expect(folder.uaf.metadataFiles == ["/etc/signet/m/a.json", "/etc/signet/m/b.json"])
        let file = try read("fido-uaf: {metadata: {path: m/a.json}}", files: files)
        #expect(file.uaf.metadataFiles == ["/etc/signet/m/a.json"])
        #expect(problems("fido-uaf: {metadata: {path: none}}").count == 1)
    }

    @Test("The conformance routes are refused in production")
    func conformance() throws {
        #expect(try read("conformance: {enabled: true}").conformance)
        let production = "profile: production\nfido-uaf: {facets: [\"ios:bundle-id:a\"]}\nconformance: {enabled: true}"
        #expect(problems(production) == ["signet.yml:3:15: conformance.enabled: is refused in the production profile"])
    }

    @Test("Tokens, sessions, authorization and the password login are taken")
    func logins() throws {
        let key = #"{"kty":"RSA","e":"AQAB","n":"wVVV\#(String(repeating: "VVVV", count: 84))VQ"}"#
        let files: [String: (text: String, permissions: UInt16)] = [
            "/etc/signet/k.json": (#"{"keys":[\#(key)]}"#, 0o644)
        ]
        let deployment = try read(
            """
            authorization: {registration: none, additional-credential: any-login}
            tokens: {issuer: i, lifetime: 5m, trusted-issuers: [{issuer: "https://idp", key-set-file: k.json}]}
            sessions: {enabled: false}
            password-login: {enabled: true, failure-limit: 3}
            """, files: files)
        let settings = try deployment.serverSettings(metadata: .product, origin: "https://a")
        #expect(settings.authorization.registration == .none)
        #expect(settings.authorization.additionalCredential == .anyLogin)
        #expect(settings.tokens.issuer == "i")
        #expect(settings.tokens.audience == "i")
        #expect(settings.tokens.trustedIssuers.count == 1)
        #expect(!settings.sessions.isEnabled)
        #expect(settings.passwordLogin?.failureLimit == 3)
        #expect(problems("tokens: {lifetime: 16m}").count == 1)
        #expect(problems("tokens: {trusted-issuers: [{issuer: a}]}").count == 1)
    }

    @Test(
        "A key set of a trusted issuer by which nothing can be verified is named with its rule",
        arguments: [
            ("[]", "must be a JSON Web Key Set"), (#"{"keys":[]}"#, "must hold a key that verifies"),
            (#"{"keys":[{"kty":"OKP"}]}"#, "must hold a key that verifies"),
            (#"{"keys":[{"kty":"EC","d":"AA"}]}"#, "must hold public keys only"),
        ])
    func unusableKeySets(text: String, rule: String) {
        let found = problems(
            "tokens: {trusted-issuers: [{issuer: a, key-set-file: k.json}]}",
            files: ["/etc/signet/k.json": (text, 0o644)])
        #expect(
            found.count == 1 && found.first?.contains("trusted-issuers.0.key-set-file: \(rule)") == true, "\(found)")
    }
}
