import Octets
import TestSupport
import Testing

@Suite("SDK-15: a sensitive value is not printed")
struct SensitiveTests {
    private static let canary = "canary-7f3a9c51d2"

    /// A type whose description the compiler writes, as most are.
    private struct Holder: Hashable {
        let name = "name"
        let token: Sensitive<String>
        let optional: Sensitive<String>?
        let octets: Sensitive<[UInt8]>
        let several: [Sensitive<String>]
        let nested: Sensitive<Sensitive<String>>
    }

    private static let holder = Holder(
        token: Sensitive(canary), optional: Sensitive(canary), octets: Sensitive(Array(canary.utf8)),
        several: [Sensitive(canary)], nested: Sensitive(Sensitive(canary)))

    @Test("The probe finds what a plain value shows, as a text, as bytes and inside of others")
    func probe() {
        #expect(Disclosure.shows(Self.canary, in: Self.canary))
        #expect(Disclosure.shows(Self.canary, in: ["a": Array(Self.canary.utf8)]))
        #expect(Disclosure.shows(Self.canary, in: (1, Optional(Self.canary))))
    }

    @Test("Neither it nor what holds it shows the value in a description, an interpolation, a dump or by reflection")
    func printing() {
        for value: Any in [Self.holder.token, Self.holder.octets, Self.holder.nested, Self.holder, [Self.holder]] {
            #expect(!Disclosure.shows(Self.canary, in: value))
        }
        #expect("\(Self.holder.token)" == "<redacted>" && String(reflecting: Self.holder.octets) == "<redacted>")
        #expect("\(Self.holder)".contains("name") && "\(Self.holder)".contains("<redacted>"))
        #expect(Mirror(reflecting: Self.holder.token).children.isEmpty)
    }

    @Test("It has no coding, so that nothing that holds one is encoded by accident")
    func coding() {
        let value: Any = Self.holder.token
        #expect(!(value is any Encodable) && !(value is any Decodable) && !(value is any LosslessStringConvertible))
        #expect(!(value is any TextOutputStreamable))
    }

    @Test("It is read by name only, and compared by what is in it")
    func reading() {
        #expect(Self.holder.token.reveal() == Self.canary)
        #expect(Self.holder.nested.reveal().reveal() == Self.canary)
        #expect(Sensitive(Self.canary) == Self.holder.token && Sensitive("other") != Self.holder.token)
        #expect(Set([Sensitive(1), Sensitive(1), Sensitive(2)]).count == 2)
    }
}
