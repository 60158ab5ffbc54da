import Foundation
import Running
import Shared
import Testing
import Formats

/// Files in the style of those that people share: other encodings, faults that Zwift forgives, old names.
@Suite("Zwift workouts of other programs")
struct WildZwiftTests {
    private static let folder = Python.root + "/Tests/WorkoutsTests/Wild/"
    private static let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []

    /// An independent reader: it decodes the file, lets lxml mend it, and unfolds the steps.
    private static let reader = """
        import sys, re, codecs, html
        from lxml import etree
        data = open(sys.argv[1], 'rb').read()
        marks = [(codecs.BOM_UTF8, 'utf-8'), (codecs.BOM_UTF16_LE, 'utf-16-le'), (codecs.BOM_UTF16_BE, 'utf-16-be')]
        mark = next(((m, e) for m, e in marks if data.startswith(m)), None)
        if mark:
            text = data[len(mark[0]):].decode(mark[1])
        else:
            declared = re.search(rb'encoding=["\\']([\\w-]+)', data[:200])
            for encoding in ['utf-8', (declared or [b'', b'cp1252'])[1].decode(), 'cp1252']:
                try:
                    text = data.decode(encoding)
                    break
                except UnicodeDecodeError: pass
        keep = {'amp', 'lt', 'gt', 'quot', 'apos'}
        def mend(found):
            name = found[1]
            if not name: return '&amp;'
            return found[0] if name[0] == '#' or name in keep else html.unescape('&' + name + ';')
        text = re.sub('&(#?\\\\w+(?=;))?;?', lambda f: mend(f) if f[1] else '&amp;' + f[0][1:], text)
        text = re.sub(r'^\\s*<\\?xml[^>]*>', '', text).strip().strip('\\0')
        root = etree.fromstring(text.encode(), etree.XMLParser(recover=True, encoding='utf-8', strip_cdata=True))
        def find(parent, name): return next((e for e in parent if isinstance(e.tag, str) and e.tag.lower() == name), None)
        def get(element, name):
            return next((v for k, v in element.attrib.items() if k.lower() == name), None)
        kind, work = find(root, 'durationtype'), find(root, 'workout')
        if kind is not None: unit = 'm' if kind.text == 'distance' else 's'
        else: unit = 'm' if any(get(e, 'distoffset') is not None for e in work.iter('*')) else 's'
        print(' '.join((find(root, 'name').text or '').split()))
        threshold = find(root, 'thresholdsecperkm')
        steps, total, way = [], 0.0, 0.0
        def add(length, power):
            global total, way
            length = round(float(length), 3)
            steps.append(f'{length} {unit}')
            total += length
            if threshold is not None: way += length / float(threshold.text) * power * 1000
        for e in work:
            if not isinstance(e.tag, str): continue
            tag = e.tag.lower()
            if tag == 'intervalst':
                for _ in range(round(float(get(e, 'repeat')))):
                    add(get(e, 'onduration'), float(get(e, 'onpower') or 0))
                    add(get(e, 'offduration'), float(get(e, 'offpower') or 0))
            elif get(e, 'duration') and not tag.startswith('text'):
                low, high = get(e, 'powerlow'), get(e, 'powerhigh')
                add(get(e, 'duration'), (float(low) + float(high)) / 2 if low else float(get(e, 'power') or 0))
        print(total, unit, round(way, 1))
        print(*steps, sep='\\n')
        """

    @Test("the tests have twenty Zwift files") func twenty() { #expect(Self.names.count == 20) }

    @Test("an independent reader sees the same title, steps and totals", arguments: names)
    func same(name: String) throws {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + name)))
        let lines = try Python.run(Self.reader, file: bytes)
        let reading = Format.zwift.plan(bytes, file: name)
        #expect(Format.ofPlan(bytes, file: "") == .zwift)
        let plan = try #require(reading.plan, "\(reading.diagnostics.map { $0.rendered() })")
        #expect(plan.title.filter { $0 != "\"" } == lines[0].filter { $0 != "\"" })
        #expect(try endings(plan) == Array(lines.dropFirst(2)))
        let table = try PlanTable(plan)
        let total = lines[1].split(separator: " ")
        let own = total[1] == "s" ? table.total.time?.inSeconds : table.total.distance?.meters
        #expect(((own ?? 0) - (Double(total[0]) ?? -1)).magnitude < 1e-6)
        let way = try #require(Double(total[2]))
        // A slow run is no walk if the file tells its pace.
        if way > 0 { #expect(table.rows.allSatisfy { $0.interval.kind == .run }) }
        if way > 0 { #expect(((table.total.distance?.meters ?? 0) - way).magnitude < 1) }
    }

    @Test(
        "one warning names everything that a plan does not have",
        arguments: [
            (
                "01-plain.zwo",
                "left out: the author, the description, tags, messages (2 times), "
                    + "shares of other races than 10 km, but for an estimate by Riegel's formula (2 times)"
            ),
            (
                "12-bike.zwo",
                "left out: the author, targets of cadence (2 times), targets of power (4 times)"
            ),
            (
                "13-events-in-events.zwo",
                "left out: messages (4 times), <gameplayevent>"
            ),
            (
                "17-with-a-tail.zwo",
                "left out: what follows the workout"
            ),
            ("18-threshold.zwo", "left out: the author, messages"),
        ])
    func leftOut(name: String, message: String) throws {
        let reading = Format.zwift.plan(
            Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + name))), file: name)
        #expect(reading.diagnostics.last?.message == message)
        #expect(reading.diagnostics.allSatisfy { $0.severity == .warning })
    }

    @Test("a bike workout and a rest day are reported")
    func named() throws {
        func said(_ name: String) throws -> [String] {
            Format.zwift.plan(
                Array(try Data(contentsOf: URL(fileURLWithPath: Self.folder + name))), file: name
            ).diagnostics.map(\.message)
        }
        #expect(try said("12-bike.zwo").first == "the workout is for cycling; it is read as one for runners")
        #expect(
            try said("19-old-power-names-and-a-rest-day.zwo").first
                == "<restday> is left out: it is an unknown kind of interval")
    }

    @Test("several workouts in one file are an error")
    func several() {
        let text = "<workout_file><workout><SteadyState Duration='9'/></workout><workout/></workout_file>"
        #expect(said(Array(text.utf8), .zwift).contains("error: the file has several workouts; a plan is one"))
    }

    @Test("in a file by Barline, every interval has the attribute pace, and the file states its threshold")
    func writes() throws {
        for text in ["run: 5:00/km\nrun 10:00, walk 1:00, 3x(run 1:00, rest 0:30)", "run 10:00, walk 1:00"] {
            let lines = try Python.run(
                """
                import sys, xml.etree.ElementTree as tree
                root = tree.parse(sys.argv[1]).getroot()
                print(root.findtext('thresholdSecPerKm'), *(e.get('pace') for e in root.find('workout')))
                """, file: try Format.zwift.write(try Plan(runText: text), now: 0).bytes)
            #expect(lines == [text.hasPrefix("run:") ? "300.000 2 4 2" : "None 4 4"])
        }
    }
}
