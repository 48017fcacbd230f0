import PhonePage
import Testing

@Suite("Refusals of the phone page are words that its script knows")
struct PhonePageRefusalTests {
    @Test("The words stand in the documents")
    func words() {
        #expect(Set(PhonePageRefusal.allCases.map(\.rawValue)) == ["notNow", "malformed", "tooLarge", "noCode"])
    }
}
