import BackendAPI
import Octets
import Testing

@Suite("Bodies of the enrolment of attestation keys")
struct AttestationEnrolmentTests {
    private func text(_ body: [UInt8]) -> String { String(decoding: body, as: UTF8.self) }

    @Test("Each body is written as documented and read back")
    func roundTrips() throws {
        let request = AttestationEnrolment.Request(certificates: [[1, 2, 3], [4]], attestationKey: [5])
        #expect(text(request.body) == #"{"certificates":["AQID","BA"],"attestationKey":"BQ"}"#)
        let readRequest = try AttestationEnrolment.Request(body: request.body)
        #expect(readRequest.certificates == [[1, 2, 3], [4]] && readRequest.attestationKey == [5])
        let credential = AttestationEnrolment.Credential(credential: [1], encryptedSeed: [2], enrolment: [3])
        #expect(text(credential.body) == #"{"credential":"AQ","encryptedSeed":"Ag","enrolment":"Aw"}"#)
        #expect(try AttestationEnrolment.Credential(body: credential.body) == credential)
        let answer = AttestationEnrolment.Answer(enrolment: [3], secret: [1, 2, 3])
        #expect(text(answer.body) == #"{"enrolment":"Aw","secret":"AQID"}"#)
        #expect(try AttestationEnrolment.Answer(body: answer.body).secret == [1, 2, 3])
        let proof = AttestationEnrolment.Proof(proof: [9], lifetimeMillis: 600_000)
        #expect(text(proof.body) == #"{"proof":"CQ","lifetimeMillis":600000}"#)
        #expect(try AttestationEnrolment.Proof(body: proof.body) == proof)
    }

    @Test(
        "A request with no, too many or too long certificates, or a text that is no base64url, is refused",
        arguments: [
            #"{"certificates":[],"attestationKey":"AQ"}"#, #"{"certificates":["+/=="],"attestationKey":"AQ"}"#,
            #"{"certificates":[""],"attestationKey":"AQ"}"#, #"{"certificates":["AQ"],"attestationKey":""}"#,
            #"{"certificates":["AQ"]}"#, #"{"certificates":"AQ","attestationKey":"AQ"}"#,
            #"{"certificates":["# + Array(repeating: #""AQ""#, count: 9).joined(separator: ",")
                + #"],"attestationKey":"AQ"}"#,
            #"{"certificates":[""# + String(repeating: "A", count: 21_848) + #""],"attestationKey":"AQ"}"#,
        ])
    func refused(body: String) {
        #expect(throws: BackendAPIError.self) { try AttestationEnrolment.Request(body: Array(body.utf8)) }
    }

    @Test("The secret does not show where an answer is printed")
    func disclosure() {
        let answer = AttestationEnrolment.Answer(enrolment: [3], secret: [211, 212, 213])
        #expect(!"\(answer)".contains("212") && !String(reflecting: answer).contains("212"))
    }
}
