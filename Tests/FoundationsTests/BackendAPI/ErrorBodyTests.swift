import BackendAPI
import JOSE
import Testing

@Suite("Bodies of errors, health and keys")
struct ErrorBodyTests {
    @Test("An error is written as documented and read back")
    func roundTrip() throws {
        let error = ErrorBody(
            timestamp: 1_769_860_800_123, status: 422, code: .dispatchTargetNameInUse, message: "in use", path: "/x",
            traceID: "t")
        #expect(
            String(decoding: error.body, as: UTF8.self)
                == #"{"timestamp":"2026-01-31T12:00:00.123Z","status":422,"error":"Unprocessable Entity","#
                + #""code":"dispatchTargetNameInUse","message":"in use","path":"/x","traceId":"t"}"#)
        let read = try ErrorBody(body: error.body)
        #expect(read == error && read.code == .dispatchTargetNameInUse && read.status == 422)
    }

    @Test("The wrong member is named behind everything else, and read back")
    func member() throws {
        var error = ErrorBody(timestamp: 0, status: 400, code: .malformedRequest)
        error.member = "context.username"
        #expect(String(decoding: error.body, as: UTF8.self).hasSuffix(#","member":"context.username"}"#))
        #expect(try ErrorBody(body: error.body).member == "context.username")
        #expect(try ErrorBody(body: Array(#"{"status":400}"#.utf8)).member == nil)
        #expect(throws: BackendAPIError.self) { try ErrorBody(body: Array(#"{"status":400,"member":1}"#.utf8)) }
    }

    @Test("Markup in a path cannot leave its string")
    func markup() throws {
        let error = ErrorBody(timestamp: 0, status: 404, code: .notFound, path: "/<script>&\u{2028}")
        let text = String(decoding: error.body, as: UTF8.self)
        #expect(!text.contains("<") && !text.contains(">") && !text.contains("&") && !text.contains("\u{2028}"))
        #expect(try ErrorBody(body: error.body).path == "/<script>&\u{2028}")
    }

    @Test("A client reads errors of foreign servers as far as they go")
    func foreign() throws {
        let read = try ErrorBody(body: Array(#"{"status":401,"code":"clockSkewTooBig","more":1}"#.utf8))
        #expect(read.code == .clockSkewTooBig && read.timestamp == nil)
        #expect(throws: BackendAPIError.self) { try ErrorBody(body: Array("<html>".utf8)) }
    }

    @Test(
        "Moments are written in the calendar, up to its end",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
            (4_107_542_399_999, "2100-02-28T23:59:59.999Z"), (Int64.min, "1970-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ])
    func timestamps(milliseconds: Int64, text: String) {
        #expect(ErrorBody(timestamp: milliseconds, status: 500, code: .internalError).timestamp == text)
        #expect(
            ErrorBody(timestamp: .max, status: 500, code: .internalError).timestamp?.hasPrefix("9999-12-31") == true)
    }

    @Test("Health is up or down")
    func health() throws {
        #expect(String(decoding: HealthBody(isUp: true).body, as: UTF8.self) == #"{"status":"UP"}"#)
        #expect(HealthBody(isUp: true).httpStatus == 200 && HealthBody(isUp: false).httpStatus == 503)
        #expect(try !HealthBody(body: HealthBody(isUp: false).body).isUp)
    }

    @Test("O-M5: the document of the keys tells each kind of dispatcher once; what cannot be read there is not told")
    func dispatchers() throws {
        let told = KeySetDocument(keys: try JWKS([]), dispatchers: [.link, .pngQRCode, .link])
        #expect(try KeySetDocument(body: told.body).dispatchers == [.link, .pngQRCode])
        #expect(try JWKS(json: told.body).keys.isEmpty, "readers of keys ignore it")
        let none = KeySetDocument(keys: try JWKS([]), dispatchers: [])
        #expect(try KeySetDocument(body: none.body).dispatchers == [])
        let foreign = Array(#"{"keys":[],"signet_dispatchers":[1]}"#.utf8)
        #expect(try KeySetDocument(body: foreign).dispatchers == nil)
    }

    @Test("A set of keys travels as a body; what is no set is a malformed one")
    func keySet() throws {
        let document = try KeySetDocument(body: KeySetDocument(keys: JWKS([])).body)
        #expect(document.keys.keys.isEmpty && document.dispatchers == nil)
        #expect(throws: BackendAPIError.malformedBody(offset: nil)) { try KeySetDocument(body: Array("[]".utf8)) }
    }
}
