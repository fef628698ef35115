// Evaluates the rules of Prometheus, with its own parser and engine, on samples that a test has scraped: which alerts
// fire, and when. Reads one JSON object from standard input, writes one to standard output.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sort"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

type given struct {
	Rules string `json:"rules"`
	// Milliseconds, in order: when the rules are looked at.
	Times  []int64 `json:"times"`
	Series []struct {
		Labels map[string]string `json:"labels"`
		// Pairs of milliseconds and a value.
		Samples [][2]float64 `json:"samples"`
	} `json:"series"`
}

type fired struct {
	Alert  string            `json:"alert"`
	At     int64             `json:"at"`
	Labels map[string]string `json:"labels"`
}

type answer struct {
	Alerts []string `json:"alerts"`
	Fired  []fired  `json:"fired"`
}

type sample struct {
	t int64
	f float64
}

func (s sample) T() int64                      { return s.t }
func (s sample) F() float64                    { return s.f }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

type memory []storage.Series

func (m memory) Querier(_, _ int64) (storage.Querier, error) { return reader{m}, nil }

type reader struct{ series memory }

func (reader) Close() error { return nil }
func (reader) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}
func (reader) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}
func (r reader) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	found := memory{}
	for _, one := range r.series {
		if matches(one.Labels(), matchers) {
			found = append(found, one)
		}
	}
	return &set{found, -1}
}

func matches(of labels.Labels, matchers []*labels.Matcher) bool {
	for _, matcher := range matchers {
		if !matcher.Matches(of.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

type set struct {
	series memory
	at     int
}

func (s *set) Next() bool                      { s.at++; return s.at < len(s.series) }
func (s *set) At() storage.Series              { return s.series[s.at] }
func (*set) Err() error                        { return nil }
func (*set) Warnings() annotations.Annotations { return nil }

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	var input given
	if err := json.NewDecoder(os.Stdin).Decode(&input); err != nil {
		fail(err)
	}
	groups, errs := rulefmt.Parse([]byte(input.Rules), false, model.LegacyValidation)
	for _, err := range errs {
		fmt.Fprintln(os.Stderr, err)
	}
	if len(errs) > 0 {
		os.Exit(2)
	}
	series := memory{}
	for _, one := range input.Series {
		samples := make([]chunks.Sample, len(one.Samples))
		for at, pair := range one.Samples {
			samples[at] = sample{int64(pair[0]), pair[1]}
		}
		series = append(series, storage.NewListSeries(labels.FromMap(one.Labels), samples))
	}
	sort.Slice(series, func(a, b int) bool {
		return labels.Compare(series[a].Labels(), series[b].Labels()) < 0
	})
	engine := promql.NewEngine(promql.EngineOpts{Logger: slog.Default(), MaxSamples: 50_000_000, Timeout: time.Minute})
	told := answer{Alerts: []string{}, Fired: []fired{}}
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			told.Alerts = append(told.Alerts, rule.Alert)
			told.Fired = append(told.Fired, firings(engine, series, rule, input.Times)...)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
		fail(err)
	}
}

// An alert fires once its expression has held at each look for the time that the rule asks for.
func firings(engine *promql.Engine, series memory, rule rulefmt.Rule, times []int64) []fired {
	since := map[uint64]int64{}
	found := []fired{}
	told := map[uint64]bool{}
	for _, at := range times {
		query, err := engine.NewInstantQuery(context.Background(), series, nil, rule.Expr, time.UnixMilli(at))
		if err != nil {
			fail(fmt.Errorf("%s: %w", rule.Alert, err))
		}
		vector, err := query.Exec(context.Background()).Vector()
		if err != nil {
			fail(fmt.Errorf("%s: %w", rule.Alert, err))
		}
		holds := map[uint64]int64{}
		for _, one := range vector {
			id := one.Metric.Hash()
			begun, known := since[id]
			if !known {
				begun = at
			}
			holds[id] = begun
			if at-begun >= time.Duration(rule.For).Milliseconds() && !told[id] {
				told[id] = true
				found = append(found, fired{rule.Alert, at, one.Metric.Map()})
			}
		}
		since = holds
		query.Close()
	}
	return found
}
