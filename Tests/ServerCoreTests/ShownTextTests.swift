import ServerCore
import TestSupport
import Testing
import UAF

@Suite("Texts that people see")
struct ShownTextTests {
    @Test(
        "SA-23: A character that hides, turns, breaks or is none is in no line and no text",
        arguments: TreacherousText.lines)
    func treacherous(text: String) {
        #expect(ShownText.line(text, 1...64) == nil && !ShownText.isLayout(text) && !ShownText.isVisible(text))
        #expect(ShownText.replacing(text) == "a\u{FFFD}b")
    }

    @Test("A line has no blanks at its ends or in a row, and as many scalar values as it may")
    func blanks() {
        for text in [
            "", " anna", "anna ", "an  na", "an\u{A0} na", "anna\u{3000}", "anna\n", String(repeating: "a", count: 65),
        ] {
            #expect(ShownText.line(text, 1...64) == nil, "\(text.debugDescription)")
        }
        for text in ["anna", "Anna von Bern", "a\u{A0}b", "李小龙", "🙂", String(repeating: "a", count: 64)] {
            #expect(ShownText.isLine(text, 1...64), "\(text.debugDescription)")
        }
    }

    @Test("A line becomes its composed form; a text whose form is another one is refused")
    func composed() {
        #expect(ShownText.line("Zoe\u{308}", 1...64)?.unicodeScalars.count == 3)
        #expect(!ShownText.isLine("Zoe\u{308}", 1...64) && !ShownText.isLayout("Zoe\u{308}"))
    }

    @Test("In a text of several lines blanks and breaks are layout")
    func layout() {
        #expect(ShownText.isLayout("Pay\n  10.00 EUR\r\nto Zoë "))
    }

    @Test(
        "SA-24: Names that people take for each other have one skeleton",
        arguments: [
            ("anna", "Anna"), ("anna", "аnnа"), ("anna", "ánná"), ("anna", "\u{FF41}nna"), ("PAX", "РАХ"),
            ("omo", "οmο"),
            ("Кот", "КОТ"), ("ada", "a\u{200B}da"),
        ])
    func alike(one: String, other: String) throws {
        let names = (try #require(UserName(one)), try #require(UserName(other)))
        #expect(NameSkeleton(of: names.0) == NameSkeleton(of: names.1))
    }

    @Test(
        "Names that differ to the eye have two",
        arguments: [("anna", "anne"), ("user-1", "user-11"), ("мир", "пир"), ("李", "王")])
    func different(one: String, other: String) throws {
        let names = (try #require(UserName(one)), try #require(UserName(other)))
        #expect(NameSkeleton(of: names.0) != NameSkeleton(of: names.1))
    }
}
