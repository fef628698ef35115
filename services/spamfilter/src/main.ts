import { runService } from '@sevenfold/chassis/service';
import { variables } from './config';
import { spamfilterService } from './service';

void runService(spamfilterService, variables, process.env);
