import Crypto
import DocumentListings
import Testing
import UAF

@Suite("The listings about UAF do what they say")
struct UAFListingTests {
    private let challenge: ServerChallenge
    private let user: UserName
    private let credential: CredentialID
    private let key = P256.Signing.PrivateKey()

    init() throws {
        challenge = try #require(ServerChallenge([UInt8](repeating: 7, count: 32)))
        user = try #require(UserName("anna"))
        let keyID = try #require(KeyID([UInt8](repeating: 9, count: 32)))
        credential = try #require(UAFPolicyListings.credential(keyID.base64URL))
    }

    private func sign(_ octets: [UInt8]) -> [UInt8] {
        (try? key.signature(for: octets)).map { Array($0.derRepresentation) } ?? []
    }

    private func parameters() throws -> FinalChallengeParameters {
        FinalChallengeParameters(
            appID: try #require(AppID("https://bank.example/facets")), challenge: challenge,
            facetID: try #require(FacetID("ios:bundle-id:org.example.bank")))
    }

    @Test("Requests are written and read, and what cannot be read has a code")
    func requests() throws {
        let policy = UAFPolicyListings.policy(pin: credential.aaid, revoked: try #require(AAID("FFFF#0001")))
        let message = UAFMessageListings.registrationRequest(challenge, user, policy)
        #expect(try UAFMessageListings.request(message, held: []).users == [user])
        let header = OperationHeader(operation: .authentication, appID: nil)
        let (request, hash) = UAFMessageListings.transaction(header, challenge, policy)
        #expect(hash == Array(SHA256.hash(data: Array("Pay 120 CHF to Anna".utf8))))
        let calls = try UAFMessageListings.request(OperationRequest.authentication(request).message, held: [])
        #expect(calls.challenges == [challenge])
        #expect(UAFMessageListings.refusal(message) == nil)
        #expect(UAFMessageListings.refusal(Array("{".utf8)) == .protocolError)
    }

    @Test("A registration is built, sent and read, and a deregistration finds its key")
    func registration() throws {
        let octets = try UAFMessageListings.registrationAssertion(
            credential, try parameters(), Array(key.publicKey.derRepresentation), sign: sign)
        let response = RegistrationResponse(
            header: OperationHeader(operation: .registration, appID: nil), finalChallenge: try parameters(),
            assertions: [AuthenticatorRegistrationAssertion(octets: octets)])
        #expect(try UAFMessageListings.response(OperationResponse.registration(response).message) == [credential])
        let removal = DeregistrationRequest(
            header: OperationHeader(operation: .deregistration, appID: nil), authenticators: [.key(credential)])
        let message = OperationRequest.deregistration(removal).message
        #expect(try UAFMessageListings.request(message, held: [credential]).forgotten == [credential])
    }

    @Test("An authentication is signed over the hash of the final challenge")
    func authentication() throws {
        let parameters = try parameters()
        let (hash, text) = UAFMessageListings.finalChallenge(parameters.appID, challenge, parameters.facetID)
        #expect(hash == FinalChallengeParameters.hash(ofEncoded: text))
        let info = AssertionInfo(
            authenticatorVersion: 1, mode: .userVerified, signatureAlgorithm: .secp256r1ECDSASHA256DER)
        let octets = try UAFMessageListings.authenticationAssertion(
            credential, info, [UInt8](repeating: 1, count: 8), parameters, sign: sign)
        let assertion = try AuthenticationAssertion(octets: octets)
        #expect(assertion.signedData.hashes.finalChallenge == hash)
        let signature = try P256.Signing.ECDSASignature(derRepresentation: assertion.signature)
        #expect(key.publicKey.isValidSignature(signature, for: assertion.signedData.octets))
        #expect(UAFMessageListings.assertionExtension().id == .userVerificationMethod)
    }

    @Test("A policy chooses the PIN, and one common method suffices for it")
    func policies() throws {
        let pin = try #require(MetadataCatalog.product[credential.aaid]?.characteristics)
        let policy = UAFPolicyListings.policy(pin: credential.aaid, revoked: try #require(AAID("FFFF#0001")))
        let candidate = AuthenticatorCandidate(aaid: credential.aaid, characteristics: pin, keyIDs: [])
        #expect(try UAFPolicyListings.choices([candidate], policy) == [[credential.aaid]])
        #expect(UAFPolicyListings.userVerification() == [true, false])
    }

    @Test("A facet of the list may use the AppID, and no other")
    func facets() async throws {
        let own = try parameters().facetID
        let header = OperationHeader(operation: .registration, appID: try parameters().appID)
        let body = UAFPolicyListings.facetList([own])
        let field = FacetResponse.Field(name: "Content-Type", value: TrustedFacetList.mediaType)
        let answer = FacetResponse(status: 200, fields: [field], body: body)
        #expect(await UAFPolicyListings.facet(header, own, .none) { _ in answer } == header.appID)
        let other = try #require(FacetID("ios:bundle-id:org.example.other"))
        #expect(await UAFPolicyListings.facet(header, other, .none) { _ in answer } == nil)
    }

    @Test("Metadata are merged and judged")
    func metadata() throws {
        let statement = UAFPolicyListings.statement(credential.aaid)
        let warned = try UAFPolicyListings.catalog(MetadataCatalog([statement]).document)
        #expect(warned.contains(credential.aaid))
    }

    @Test("Each status code leads to its action")
    func codes() {
        #expect(UAFPolicyListings.status(.ok) == "finished")
        #expect(UAFPolicyListings.status(.unknownKeyID) == "unusable")
        #expect(UAFPolicyListings.status(.requestInvalid) == "1491")
    }
}
