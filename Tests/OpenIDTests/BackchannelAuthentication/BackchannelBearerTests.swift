import OpenID
import Testing

@Suite("The bearer token of a decoupled server is visible ASCII of a bounded length, and is not printed")
struct BackchannelBearerTests {
    @Test("A token is taken as it came")
    func accepted() throws {
        let token = try #require(BackchannelBearer("eyJ.a-b_c"))
        #expect(token.reveal() == "eyJ.a-b_c")
        #expect(!"\(token)".contains("eyJ"))
    }

    @Test("Empty, too long, with a blank or a line end: refused")
    func refused() {
        for text in ["", "a b", "a\r\nHost: x", String(repeating: "a", count: BackchannelBearer.byteLimit + 1)] {
            #expect(BackchannelBearer(text) == nil)
        }
    }
}
