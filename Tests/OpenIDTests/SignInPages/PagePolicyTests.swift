import SignInPages
import Testing

@Suite("Pages take nothing from elsewhere and stand in no frame")
struct PagePolicyTests {
    @Test("The policy is one line, allows nothing by default, no frame and no inline code")
    func policy() {
        #expect(PageAnswer.policy.hasPrefix("default-src 'none';"))
        #expect(PageAnswer.policy.hasSuffix("frame-ancestors 'none'"))
        #expect(!PageAnswer.policy.contains("unsafe") && !PageAnswer.policy.contains("\n"))
    }
}
