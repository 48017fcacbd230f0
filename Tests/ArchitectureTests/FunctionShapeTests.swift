import Testing

@Suite("The scanner measures functions")
struct FunctionShapeTests {
    private func shape(_ source: String) throws -> FunctionShape {
        try #require(FunctionShape.functions(in: SwiftLexer.separate(source).code).first)
    }

    @Test("Parameters are counted, also with closures, generics and defaults")
    func parameters() throws {
        #expect(try shape("func f() {}").parameterCount == 0)
        #expect(try shape("func f<A, B>(_ a: (A, B) -> Void, b: [A: B] = [:], c: Pair<A, B>,) {}").parameterCount == 3)
        #expect(try shape("init(a: Int, b: Int) { self.a = 1 }").parameterCount == 2)
    }

    @Test("Lines with code are counted, blank ones and comments are not")
    func lines() throws {
        let shape = try shape("func f() {\n    a()\n\n    // why\n    b()\n}\n")
        #expect(shape.bodyLineCount == 2)
        #expect(shape.name == "f")
    }

    @Test("Nesting counts the braces inside the body")
    func nesting() throws {
        #expect(try shape("func f() { a() }").nesting == 0)
        #expect(try shape("func f() { if a { b { c() } } }").nesting == 2)
    }

    @Test("Declarations without a body and stored properties have no shape")
    func bodies() {
        let source = "protocol P { func f(); var x: Int { get }; init(a: Int) }\nstruct S { var y = 1; let z: Int }"
        let functions = FunctionShape.functions(in: source)
        #expect(functions.map(\.name) == ["x"])
    }

    @Test("Calls of initialisers are not declarations")
    func calls() {
        #expect(FunctionShape.functions(in: "struct S { func f() { self.init(a: 1) } }").map(\.name) == ["f"])
    }

    @Test("An initialiser that only stores its parameters is memberwise")
    func memberwise() throws {
        #expect(try shape("init(a: Int) {\n    self.a = a\n    b = nil\n}").isMemberwise)
        #expect(try !shape("init(a: Int) {\n    self.a = compute(a)\n}").isMemberwise)
    }
}
